import type { Plugin } from 'vite';

/** The tag of a group's title in VitePress: `h2`, and below it `h3`. */
const HEADING = '`h${props.depth + 2}`';

/** Makes the titles of the sidebar plain text. VitePress makes them headings, which come before the `h1` of the page. */
export function sidebarWithoutHeadings(): Plugin {
  return {
    name: 'sidebar-without-headings',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/VPSidebarItem.vue')) return null;
      if (!code.includes(HEADING)) throw new Error('VitePress makes the sidebar in another way now: look at it again.');
      return code.replace(HEADING, "'p'");
    },
  };
}
