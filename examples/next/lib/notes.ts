/** By user; in memory, where your app has a database. */
export const notes = new Map<string, string>();
