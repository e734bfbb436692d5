/**
 * Local part, @, domain, dot, top-level domain of at least two letters (specification, section 5), in any script, or as an A-label
 * such as `xn--p1ai` (RFC 5890), without the characters that are valid only in quoted addresses (RFC 5322, section 3.2.3). Invisible
 * characters could make two addresses look the same. The server checks more (`isEmailAddress`).
 */
const EMAIL = /^[^\s\p{C}@()<>,;:\\"[\]]+@(?:[^\s\p{C}@.]+\.)+(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/iu;

/** The longest address that SMTP can carry (RFC 5321, section 4.5.3.1.3). */
const MAX_LENGTH = 254;

export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text);
}

/** The address in a field, without the spaces and the invisible characters that pasted text has at its ends. */
export const typedEmail = (text: string): string => /^[\s\p{C}]*([^\s\p{C}](?:.*[^\s\p{C}])?)/su.exec(text)?.[1] ?? '';
