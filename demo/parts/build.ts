type PageLocation = Pick<Location, 'pathname' | 'search'>;

/** Whether a page shows the build for hosts without React: one page by its path, the others by their query. */
export const isStandalone = ({ pathname, search }: PageLocation): boolean =>
  pathname === '/standalone' || new URLSearchParams(search).get('build') === 'standalone';

/** The build in the page's URL. */
export const loadBuild = () => (isStandalone(location) ? import('portico/standalone') : import('portico'));
