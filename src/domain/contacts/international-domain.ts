/** Domain names in other scripts (RFC 5890): in their written form (U-labels) and in the form of the network (A-labels, `xn--…`). */

const isAscii = (text: string): boolean => !/[^\0-\x7F]/u.test(text);

/**
 * Letters, marks, digits, hyphens, and the four characters of punctuation that names of some languages contain (RFC 5892). Not
 * the capital ß: versions of Unicode differ on its small letter.
 */
const WRITTEN = /^(?!.*\u1E9E)[\p{L}\p{M}\p{N}.\-\u00B7\u05F3\u05F4\u30FB]+$/u;

/** Thai and Lao vowels, which NFKC decomposes although they have no other spelling. */
const AM = /[\u0E33\u0EB3]/gu;

/**
 * False for a text with compatibility characters, such as full-width letters, ligatures, and the signs for Kelvin and Angstrom.
 * Programs replace them differently, so one address could become another user's address.
 */
export function isPlain(text: string): boolean {
  const rest = text.replaceAll(AM, '');
  const stands = (letter: string): boolean => {
    const normal = letter.normalize('NFC');
    return normal !== letter && Array.from(normal).length === 1;
  };
  return rest.normalize('NFC') === rest.normalize('NFKC') && !Array.from(rest).some(stands);
}

/** Splits an address before its domain. A text without @ has only a local part. */
export function splitEmail(email: string): readonly [local: string, domain: string] {
  const at = email.lastIndexOf('@');
  return at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at + 1)];
}

/** The domain in lower case and A-labels; null when it is not a valid name. ASCII letters only change case. */
export function asciiDomain(domain: string): string | null {
  if (isAscii(domain)) return domain.toLowerCase();
  if (!WRITTEN.test(domain) || !isPlain(domain)) return null;
  try {
    // The platform's mapping (UTS 46), which email and browsers use to find hosts.
    const { hostname } = new URL(`https://${domain}`);
    const fits = hostname.length <= 253 && hostname.split('.').every((label) => label !== '' && label.length <= 63);
    return fits ? hostname : null;
  } catch {
    return null;
  }
}

/** The letters of an A-label without its `xn--` (RFC 3492, section 6.2); null when they are not Punycode. */
function punycodeLetters(label: string): string | null {
  const end = label.lastIndexOf('-');
  const letters = Array.from(label.slice(0, Math.max(end, 0)), (letter) => letter.codePointAt(0) ?? 0);
  let [code, bias, place, index] = [128, 72, 0, end + 1];
  while (index < label.length) {
    const before = place;
    for (let weight = 1, base = 36; ; base += 36, index += 1) {
      const letter = label.charCodeAt(index);
      const digit = letter < 58 ? letter - 22 : letter - 97;
      if (!(digit >= 0 && digit < 36)) return null;
      place += digit * weight;
      const threshold = Math.min(Math.max(base - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    index += 1;
    const count = letters.length + 1;
    let delta = Math.floor((place - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    code += Math.floor(place / count);
    place %= count;
    if (code > 0x10ffff) return null;
    letters.splice(place, 0, code);
    place += 1;
  }
  return String.fromCodePoint(...letters);
}

/** The U-label, if the A-label is its valid encoding. */
function writtenLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const unicodeLabel = punycodeLetters(label.slice(4));
  // Punycode can also encode invalid names, such as plain ASCII: `xn--gmail-` is not `gmail`.
  return unicodeLabel !== null && asciiDomain(unicodeLabel) === label && !isAscii(unicodeLabel) ? unicodeLabel : label;
}

/** The address in its written form. Some browsers convert a domain in another script to A-labels. */
export function writtenEmail(email: string): string {
  const [local, domain] = splitEmail(email);
  if (!/(?:^|\.)xn--/iu.test(domain)) return email;
  return `${local}@${domain.toLowerCase().split('.').map(writtenLabel).join('.')}`;
}
