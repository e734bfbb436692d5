/** The maximum length of a cookie's name and value (RFC 6265bis, section 5.7). Browsers reject a longer cookie and keep the old one. */
const MOST_BYTES = 4096;

/** Whether browsers accept a cookie of this size. @param value as it is written, in ASCII */
export const fitsCookie = (name: string, value: string): boolean => name.length + value.length <= MOST_BYTES;
