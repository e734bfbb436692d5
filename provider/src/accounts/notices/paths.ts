export const NOTICES_PREFIX = '/notices';
/** The style sheet of every page that a person sees without `--dev`. */
export const NOTICES_CSS = `${NOTICES_PREFIX}/notices.css`;
