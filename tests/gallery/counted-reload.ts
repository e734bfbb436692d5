/** In the gallery's pages this is in the place of `src/presentation/components/reload-page.ts`: a reload would end the test. */
export const RELOAD = 'reload-requested';

export const reloadPage = (): void => void window.dispatchEvent(new Event(RELOAD));
