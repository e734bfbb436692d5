/**
 * The `otpauth:` URI that an authenticator app reads from a QR code, with the parameters that every app supports: SHA-1, six digits, thirty
 * seconds. Colons separate issuer and label, so neither may contain one.
 */
export function totpUri(secret: string, issuer: string, label: string): string {
  const plain = (text: string): string => encodeURIComponent(text.replaceAll(/:|\p{Surrogate}/gu, ' '));
  const query = `secret=${encodeURIComponent(secret)}&issuer=${plain(issuer)}&algorithm=SHA1&digits=6&period=30`;
  return `otpauth://totp/${plain(issuer)}:${plain(label)}?${query}`;
}
