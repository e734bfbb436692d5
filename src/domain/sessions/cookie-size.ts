/** The maximum length of a cookie's name and value (RFC 6265bis, section 5.7). Browsers reject a longer cookie and keep the old one. */
const MOST_BYTES = 4096;

/**
 * Whether browsers accept a cookie of this size.
 *
 * @param value as it is written, in ASCII
 * @param reserve further bytes, such as those of the attributes, which older browsers count
 */
export const fitsCookie = (name: string, value: string, reserve = 0): boolean =>
  name.length + value.length + reserve <= MOST_BYTES;
