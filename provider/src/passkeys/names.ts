/** Authenticators that say what they are, by AAGUID, as their makers publish them. */
const AUTHENTICATORS: Readonly<Record<string, string>> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
};

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//u, 'Edge'],
  [/OPR\//u, 'Opera'],
  [/Firefox\/|FxiOS\//u, 'Firefox'],
  [/Chrome\/|CriOS\//u, 'Chrome'],
  [/Safari\//u, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/u, 'iPhone'],
  [/iPad/u, 'iPad'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/CrOS/u, 'ChromeOS'],
  [/Mac OS X|Macintosh/u, 'Mac'],
  [/Linux/u, 'Linux'],
];

function match(rows: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return rows.find(([pattern]) => pattern.test(text))?.[1];
}

/** The default name of a new passkey: its authenticator, else the device where it was made. */
export function defaultName(aaguid: string, userAgent: string): string {
  const authenticator = AUTHENTICATORS[aaguid];
  if (authenticator !== undefined) return authenticator;
  const where = [match(BROWSERS, userAgent), match(SYSTEMS, userAgent)].filter((part) => part !== undefined);
  return where.length > 0 ? where.join(' on ') : 'Passkey';
}

const MAX_NAME = 120;
/** Control and formatting characters: a name could show as another one. Joiners are part of some scripts and emoji. */
const INVISIBLE = /[^\P{C}\u200c\u200d]/u;

/** The name without surrounding spaces, or null for one that cannot be shown. */
export function nameFrom(text: string): string | null {
  const name = text.trim();
  return name !== '' && name.length <= MAX_NAME && !INVISIBLE.test(name) ? name : null;
}
