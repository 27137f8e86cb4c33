// Made by tests/tools/make_width_table.ts; never edited by hand. Runs of code points of one class, from U+0000 up:
// each is length * 32 + class in base 36. graphemes.ts says what the bits of a class mean.

/** The classes of all code points. */
export const WIDTH_RUNS =
  "so 2ch tk x z 1t z 1t 1v 1d z 1t 1k 1f x 4j x 4j x 3n 5d z 81 z 5d 1v 4h 3n 3l z x 2r x 1v 1t z x 1v " +
  "2p 3n x z x z 1t z dd z x z 69 z 8x 1v 2p z 4h 2r 3l z 5d 3n x z 2p 3n x z 3l 1v g1 1v 2p z 2f5 z x " +
  "z x z x z x z x z x z x z 2v5 z dd z 2f5 z 1t z x 2r x z 1t z 69 3n x z x z sh 2s4 td f7 x 6b 69 f7 " +
  "x 6b 1cx z ch 1kz x z 17l 6s 6ht 14k x 1g x 2c x 2c x 1g 1dt 60 8x ac x 1k 14x j8 e9 1g 2ht 6s 1k x " +
  "5w 1t 2c x 44 td 1k x 1g qp ok 28x ac 1fl 8k 81 1g ld 44 x 8k x 38 x 50 129 38 1a9 2g 4h 8k 11d lw " +
  "1k t0 1h 1c1 1g 1h 1g x 39 7o 45 1k 2d x 6s 8x 2c pt 1g 2d 1dt 1g x 39 44 1t 2d 1t 2d 1k 81 1h 8x 2c " +
  "n5 1g 1t 2c 1h 1dt 1g x 39 2c 3l 2c 1t 38 2p 1g qp 2c 2p 1g 9t 2c 1h 1dt 1g x 39 50 x 2c 1h x 2d 1k " +
  "ht 2c jl 5w x 1g 2d 1dt 1g x 1h 1g 1h 44 1t 2d 1t 2d 1k 69 2c 1h 8x 2c qp 1g 1gh 2d 1g 2d 2p 39 x 39 " +
  "1g 81 1h zl 1g 39 1g 1cx 1g x 38 45 x 38 x 38 1k 69 2c 9t 2c pt 1g 2d 1dt 1g x 1h 1g 51 x 1g 2d x 2d " +
  "2c 69 2d 9t 2c dd 1h ap 2c 2d 1cx 2c x 39 44 x 39 x 39 1k 15 75 1h 8x 2c pt 1g 2d 1q9 1g 3l 39 38 x " +
  "1g x 7p g1 2d 1i9 1g x 11 6s ap 7o 2f5 1g x 11 8k 9t 6s 1sx 2c o1 1g x 1g x 1g 3l 2d 17l d0 1h 50 x " +
  "2c 4h ac x wk 81 1g 2gx 29 44 1h 5w 1d 2c 2d 2c kh 2d 2c 3l 38 x 35 1t 6p 2p 44 bl 1g 1d 1h 2c 5t 1g " +
  "x 1d 8x 35 1g 2f5 2d6 2g 3y1 8m9 38 ncx 38 1h ox 2c 1h pt 2c qp 2c 1kx 2c 1h 6s 7p 1g 2d ac 81 1g " +
  "141 38 1k 1g 2w1 2c u9 1g 2wx 38 45 2c 39 3l 2d 1g 5x 38 5ep 2c 2d 1g 1ep 1h 1g 1h 6s x 1g 1d 1g 29 " +
  "7o 5x 9g 1t 1g 16p s4 17l 44 1h 15t 1g 1h 50 1h 1g 51 1g 2d xt 8k ap 2c 1h qp 1h 44 2d 2c 1h 38 1dt " +
  "1g 1h 2c 39 1g 1h 38 2d 16p 7p 7o 2d 2c 3r5 38 x c4 1h 6s 3l 1g 5d 1g 1t 1h 2c 4w1 1lg cwx 1k 1g 3c " +
  "z 1t 3n x 1v 1t 1v 1t 2r x 3n 21 54 x z x 1v x z 4h z 1d x z 8x 1d jl 54 14 9k 3l z 8x z x 3n yp z " +
  "v5 tw g1 z x z 2p z 81 z 1t z 8x z 1f 2p z 3l z bl 1d m9 1v 5d 3n x ar 3l 8z dd z 5d 3n 5v dd 29 bl " +
  "1v ld z x z g1 z ld z x 1v 2p 1v 1t z 2p z x z 2p z 3l z 1t 3n 1t z x z x 5f x z 4h 3n 3l 1v 8x z 2p " +
  "z 4h z bl 1v 1t 3n 1t 1v 1t 1v g1 1v 1t 1v bl z 2p z 9t z m9 z 20x z 69 2a ap 1d 2a 2ap 1d 1q9 1d m9 " +
  "42 35 1e 29 1e 3l 35 2ht 2f7 1f yr x 2eb 3l w3 ap eb 1t 3n 8x 1v x 6b 29 5d 1v 1t 1f z 3l 1v 1t 1f z " +
  "3l 2r 1t z 1t 3n e9 3n 81 z 9t 29 2a x 4x 1f z 29 1f 41 2b 35 x 2a 5t 1f 1d 1f fl 7m 7l 1f 1d 1f 4x " +
  "b6 b5 2b 1d 37 1d 43 1d 2b 1d 1f dt 1e 5t 3l 5u 35 1e 9d 2b 1d 1e 7l 2a fl 2a 1f 41 2a 7n 1e 4z 1e " +
  "c3 1d 1f 41 2b 1e 6r 2a 1f 1e 43 1e 2b 1e 2b 4x 1e 1t 29 2a 6p x 1d x 1d 5d 1d 2p 1d 5d 1e 8x 29 75 " +
  "z 5d 1d 1t 1d 3l 1e x 1e 3l 36 x 1e 9t 4x ch 8z ip 36 81 1d ch 1e ch 1e 96p 29 bfl 35 gx 2a 19d 1e " +
  "3l 1e 3n a01 38 3hd 1g 2dd t0 35t n6 x 276 ap 5aa n5 aq 42 11e 44 2e de 1t 24i 1t 2c 2hu 4h 12a x " +
  "19e w 11e x 12a 4y w2 2a 81 1e 15u x zm 7n 4tfm 1le f736 2p 1cy agx 44 x 9g sh 2c 1z5 2c 6pt 1g 2p " +
  "1g 3l 1g kh 2d 2c 1h 3l 1g 21t 2d 18h et 2c n5 gk bl 1g xt 7o m9 ac 2d ap qi 2p 38 1h 15t 1g 2d 44 " +
  "2d 2c 39 w1 1g 1nl 5w 2d 2c 2d 2c ap 1g 75 1g 1h 141 1d 1g 1d 18h 1g x 38 1t 2c 4h 2c x 1g 10h 1h 2c " +
  "2d 4h 1h 1g 5tt 2d 1g 2d 1g 2d x 1h 1g g1 7nuq ap l5 41 189 3l 1ekg 4e0z cn6 qp 1g i75 es 9e 5d es " +
  "v6 x gy x 3m 3mp 1k x 2de 1i9 1x w 1k1 6a 81 88 3c x z cm9 1g 5kx 1g 3oh 50 158h 38 x 2c 4h 44 zl 38 " +
  "3l 1g 42p 2c e5d 44 1lt 50 7tt 2c 1y9 44 1q9 ac 17l 44 30h 1h 1g 1h 1b5 dw 10h 1g 1t 2c 8x 38 1h 141 " +
  "39 44 2d 2c 1t 1k 3l 1g 8x 1k 18h 38 w1 50 1h 7o e9 2d 135 1g ap 2c 1h 16p 39 8k 2d x 21 4h 44 x 1h " +
  "1g 29t 39 38 2d 1g 1h 2c 5d 1g 1t 1g 3vl 1g 39 7o ip 2c 2d 1cx 2c x 2d 1g 45 1t 2d 1t 39 81 1h 8x 2d " +
  "1t 6s 2p 50 1nl 39 5w x 1h 1t 1h x 45 x 2d 1g 1h 1g 15 1g ch 2c 20x 39 7o 2d 38 1h 1g kh 1g 201 39 " +
  "5w 1h 1g 45 2c 1h 2c 5sx 39 44 1t 45 2c 1h 2c o1 2c 20x 39 7o 2d 1g 1h 2c 2m9 1g 1h 1g 2d 5w 1h 1g " +
  "2ht 1g 1h 1g 29 44 1h 50 6bl 39 8k 1h 2c 61t 5x x 2d 1t 2c 1h 1g 15 1h 15 1h 1g 3hd 39 44 1t 2c 45 " +
  "1g 2p 1h ox 9g zl 5w 1h 15 44 75 1g 81 5w 2d 38 zl 5l c4 1h 2c a01 1h 6s x 5w 1h 1g 20x k4 x 1h 6s " +
  "1h 2c 1h 2c 30h 5w 2p 1g x 2c x 6s 15 1g 1mp 51 x 2c x 2d 1g 1h 1g 8kh 2c 2d 81 2c 15 1h 16p 2d 50 " +
  "2p 2d 1g 1h 1g kh 1g 3noh ew 1g 5d dw 7v29 b8 39 38 1pmp 50 1gh 6s dq9 15 2p 3t by9 1g x 1dh 69 44 " +
  "1wh 42 1g 9t 2e 4y 81 52eq w1 uq 2ch 2uq bl mky ch 19u 5ach 42 x 6q x 2a x 7ci 81 1e pt 36 1t 1e ch " +
  "4y 69 9si 1ov5 2c x 48 381t 15g 1t l0 ddt 2d 38 2p 5x 7s 7o 1t 6s qp 44 3nl 38 4m9 25u 81 ky 15b5 " +
  "1dg 3l 190 75 1g ch 1g jl 50 x dw xkx 6s x fo 1t 6s x 2c x 50 2gx 1g 3y9 6s 99d 1g 1i9 44 cjl 44 69t " +
  "2c i69 6s 2ox 6s 16e9 41 1e 501 1e 175 9v 1t 35 qr x 1d 1fn 1t 41 2b ar 2b cj 1e 1v 9e g3 1d 1e 1dd " +
  "nt 36 c1 13m 41 8i 6p 2a cx 5u 3td tu b5 8i 1d 1qq 1d k2 b5 12q 41 4y b5 fm 35 1e 35 36 52 1ki 1d 1e " +
  "1d 4mq 29 1ki 75 4x 42 1d lu gh 1e nl 2a c1 1e 24x 242 16p 1qq 5t 1e 35 36 29 4y 29 42 a9 2a 6p 8i " +
  "35 2v5 b5 23l 4x 1e 4x b6 41 1e dt ap 41 1dt 7l 8x 5t zl 7l qp 21d ap 16a 1d 9e 1d 4ky 2s1 c2 35 1rm " +
  "1d 1e 35 gi 1d c2 35 b6 4x 6bl p8x 1t 18y4i 1t 18y4i chhs1 14 1k qw 2dw 360 5xw 2gw8 1651d 18y4j 1t " +
  "18y4j 1t";
