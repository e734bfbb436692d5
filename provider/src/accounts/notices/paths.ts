export const NOTICES_PREFIX = '/notices';
/** The style sheet of all pages that people see without `--dev`. */
export const NOTICES_CSS = `${NOTICES_PREFIX}/notices.css`;
