import type { ReactElement } from 'react';

/**
 * What may stand beside others: no text. Browsers translate a page by replacing its texts, after which none of them can be changed,
 * removed or inserted before. A text is alone in its element, which can.
 */
export type Elements = ReactElement | readonly Elements[] | '' | false | null | undefined;
