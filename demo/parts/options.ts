/** What the query string of the demo page may choose. Only how things look and which product is shown. */
export interface Options {
  /** `?by=link` */
  readonly by: By;
  /** `?shadow=1` mounts the widget in a shadow root. */
  readonly shadow: boolean;
  /** `?theme=brand` mounts it with a sample theme. */
  readonly brand: boolean;
  /** `?header=off` leaves the widget's title out. */
  readonly header: boolean;
  /** `?stay=1` keeps the widget's success screen, where the page would go on to the account. */
  readonly stay: boolean;
}

export type By = 'passcode' | 'link';

export function readOptions(search: string): Options {
  const query = new URLSearchParams(search);
  return {
    by: query.get('by') === 'link' ? 'link' : 'passcode',
    shadow: query.get('shadow') === '1',
    brand: query.get('theme') === 'brand',
    header: query.get('header') !== 'off',
    stay: query.get('stay') === '1',
  };
}

/** Remembers the choice in the address, so that a reload or a bookmark keeps it. */
export function rememberBy(by: By): void {
  const url = new URL(location.href);
  if (by === 'link') url.searchParams.set('by', 'link');
  else url.searchParams.delete('by');
  history.replaceState(history.state, '', url);
}
