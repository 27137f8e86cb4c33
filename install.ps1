# Installs Trifold for Windows: one file, downloaded, its checksum verified, put into a directory of yours.
# Reviewed, never run on Windows so far. Settings, all optional, as environment variables:
#   TRIFOLD_VERSION      such as 0.1.0; else the newest
#   TRIFOLD_INSTALL_DIR  where the program goes; else %LOCALAPPDATA%\Programs\trifold
#   TRIFOLD_DOWNLOADS    address of a folder with the files of one release
$ErrorActionPreference = 'Stop'
# Without its bar Invoke-WebRequest of Windows PowerShell 5 is many times faster.
$ProgressPreference = 'SilentlyContinue'

function Install-Trifold {
  # The release puts its own repository here.
  $repository = '@REPOSITORY@'
  # Windows on ARM runs programs for x64.
  $file = 'trifold-windows-x64.exe'

  if ($env:TRIFOLD_DOWNLOADS) {
    $from = $env:TRIFOLD_DOWNLOADS.TrimEnd('/')
  } elseif ($repository.StartsWith('@')) {
    throw 'Cannot download: this copy belongs to no release; TRIFOLD_DOWNLOADS names an address'
  } elseif ($env:TRIFOLD_VERSION) {
    $from = "https://github.com/$repository/releases/download/v$($env:TRIFOLD_VERSION.TrimStart('v'))"
  } else {
    $from = "https://github.com/$repository/releases/latest/download"
  }

  $directory = $env:TRIFOLD_INSTALL_DIR
  if (-not $directory) { $directory = Join-Path $env:LOCALAPPDATA 'Programs\trifold' }
  New-Item -ItemType Directory -Force -Path $directory | Out-Null

  # In the same directory, so that it is put in place in one step.
  $made = Join-Path $directory ".trifold-$PID.exe"
  $sums = "$made.sums"
  try {
    Write-Host "downloading $file from $from"
    # Windows PowerShell 5 offers TLS 1.0 first.
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072
    Invoke-WebRequest -UseBasicParsing -Uri "$from/SHA256SUMS" -OutFile $sums
    $expected = $null
    foreach ($line in Get-Content $sums) {
      $sum, $name = $line -split '\s+\*?', 2
      if ($name -eq $file) { $expected = $sum }
    }
    if (-not $expected) { throw "Cannot verify ${file}: SHA256SUMS does not name it" }
    Invoke-WebRequest -UseBasicParsing -Uri "$from/$file" -OutFile $made
    $found = (Get-FileHash -Algorithm SHA256 -Path $made).Hash
    if ($found -ne $expected) {
      throw "Refused ${file}: its checksum is $found, and SHA256SUMS says $expected. Nothing was installed"
    }
    Move-Item -Force -Path $made -Destination (Join-Path $directory 'trifold.exe')
  } finally {
    Remove-Item -Force -ErrorAction SilentlyContinue -Path $made, $sums
  }

  Write-Host "installed $(Join-Path $directory 'trifold.exe')"
  if (($env:Path -split ';') -contains $directory) {
    Write-Host 'next: trifold'
  } else {
    Write-Host "next: $(Join-Path $directory 'trifold.exe')"
    Write-Host "$directory is not in Path; this puts it there for new windows:"
    Write-Host "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$directory', 'User')"
  }
}

# At the very end: a script that was cut off on its way does nothing.
Install-Trifold
