/** A browser remembers the failure of a file as long as the page lives. Only a reload requests the file again. */
export const reloadPage = (): void => window.location.reload();
