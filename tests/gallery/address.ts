/** What the gallery's address asks for. `screen=all` is every fixture; without a screen or a fixture it is the index. */
export const query = new URLSearchParams(location.search);

/** This page's address with some parameters changed; null takes one out. */
export function addressWith(changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return `${location.pathname}${next.size > 0 ? `?${next.toString()}` : ''}`;
}

export const INDEX = { screen: null, fixture: null };

export function link(text: string, href: string): HTMLAnchorElement {
  const element = document.createElement('a');
  element.textContent = text;
  element.href = href;
  return element;
}
