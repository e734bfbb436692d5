import type { ReactElement } from 'react';

/**
 * The elements that can stand next to others, without plain text. Browsers translate a page by replacing its text nodes, after which React
 * can no longer change or remove them, or insert anything before them. So each text is alone in an element, which can be changed.
 */
export type Elements = ReactElement | readonly Elements[] | '' | false | null | undefined;
