const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Other texts of the same signature, which lenient decoders accept. */
export function respelled(jwt: string): readonly string[] {
  const last = ALPHABET[ALPHABET.indexOf(jwt.at(-1) ?? '') ^ 1] ?? '';
  return [`${jwt.slice(0, -1)}${last}`, `${jwt}=`, `${jwt}==`, `${jwt} `, `${jwt}\n`, jwt.replace(/.$/u, ' $&')];
}
