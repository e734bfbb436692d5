/** Browsers keep no cookie whose name and value are longer (RFC 6265bis, section 5.7). They keep an older one of that name instead. */
const MOST_BYTES = 4096;

/** Whether browsers keep a cookie of this name. @param value as it is written, in ASCII */
export const fitsCookie = (name: string, value: string): boolean => name.length + value.length <= MOST_BYTES;
