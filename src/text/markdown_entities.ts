// Character references ("&amp;", "&#8212;") decoded. The parser leaves them, or some of them, as they stand.
// Only names that people and models do write are known; any other stays readable as it is.

import { safeText } from "./outside_text.ts";

const NAMES =
  "amp & lt < gt > quot \" apos ' copy © reg ® trade ™ hellip … mdash — ndash – lsquo ‘ rsquo ’ ldquo “ " +
  "rdquo ” sbquo ‚ bdquo „ laquo « raquo » lsaquo ‹ rsaquo › bull • middot · sect § para ¶ deg ° plusmn ± times × " +
  "divide ÷ frac12 ½ frac14 ¼ frac34 ¾ sup1 ¹ sup2 ² sup3 ³ micro µ cent ¢ pound £ yen ¥ euro € larr ← uarr ↑ " +
  "rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ ne ≠ le ≤ ge ≥ asymp ≈ equiv ≡ infin ∞ sum ∑ prod ∏ radic √ part ∂ " +
  "nabla ∇ int ∫ forall ∀ exist ∃ empty ∅ isin ∈ notin ∉ sub ⊂ sup ⊃ sube ⊆ supe ⊇ cap ∩ cup ∪ and ∧ or ∨ not ¬ " +
  "minus − alpha α beta β gamma γ delta δ epsilon ε lambda λ mu μ pi π sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ " +
  "Omega Ω agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë " +
  "igrave ì iacute í icirc î iuml ï ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö oslash ø ugrave ù uacute ú " +
  "ucirc û uuml ü szlig ß Agrave À Aacute Á Auml Ä Aring Å AElig Æ Ccedil Ç Eacute É Ntilde Ñ Ouml Ö Oslash Ø " +
  "Uuml Ü check ✓ cross ✗ star ☆ starf ★ hearts ♥ spades ♠ clubs ♣ diams ♦ lbrace { rbrace } lbrack [ rbrack ] " +
  "lpar ( rpar ) ast * lowbar _ grave ` vert | verbar | bsol \\ sol / num # dollar $ percnt % excl ! quest ? " +
  "commat @ colon : semi ; comma , period . plus + equals =";

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/g;

let names: Map<string, string> | null = null;

/** The text with its character references decoded; a control that came of one is a token, as anywhere else. */
export function decodeEntities(text: string): string {
  const decoded = text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return namedEntities().get(name) ?? whole;
    return codePoint(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal));
  });
  return decoded.split("\n").map((line) => safeText(line)).join("\n");
}

/** Made when first needed: most messages have none. */
function namedEntities(): ReadonlyMap<string, string> {
  if (names !== null) return names;
  names = new Map(["nbsp", "ensp", "emsp", "thinsp"].map((name) => [name, " "]));
  const words = NAMES.split(" ");
  for (let at = 0; at + 1 < words.length; at += 2) names.set(words[at]!, words[at + 1]!);
  return names;
}

function codePoint(code: number): string {
  const valid = code !== 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : "\ufffd";
}
