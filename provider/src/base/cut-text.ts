/** The first `length` UTF-16 units of a text. Never ends with half of a character, which PostgreSQL cannot store as JSON. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}$/u, '');
