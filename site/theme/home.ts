import { useData } from 'vitepress';
import { defineComponent, h } from 'vue';
import type { HomeData } from '../make/landing.ts';

/** The page of one example with social logins, as in the live examples. */
const LIVE = '/embed?by=social';

/** Vite's base, for links that VitePress does not render. */
const BASE = import.meta.env.BASE_URL.replace(/\/$/u, '');

/** The first page: what Portico is, a live widget, and each group of pages with the first of them. */
export const Home = defineComponent({
  setup() {
    const { frontmatter, isDark } = useData();
    return () => {
      const { title, lede, actions, groups } = frontmatter.value['home'] as HomeData;
      const link = (text: string, path: string, kind?: string) => h('a', { href: `${BASE}${path}`, class: kind }, text);
      return h('main', { class: 'VPHome landing' }, [
        h('div', { class: 'landing-hero' }, [
          h('div', { class: 'landing-claim' }, [
            h('h1', title),
            h('p', { class: 'landing-lede' }, lede),
            h(
              'p',
              { class: 'landing-actions' },
              actions.map(({ text, path }, at) => link(text, path, at === 0 ? 'primary' : 'quiet')),
            ),
          ]),
          h('iframe', {
            src: LIVE,
            title: 'The login widget, live',
            loading: 'lazy',
            class: ['landing-frame', isDark.value ? 'is-dark' : 'is-light'],
          }),
        ]),
        h(
          'div',
          { class: 'landing-groups' },
          groups.map((group) =>
            h('section', { 'aria-label': group.title }, [
              h('h2', group.title),
              h('p', group.about),
              h(
                'ul',
                group.pages.map(({ text, path }) => h('li', link(text, path))),
              ),
            ]),
          ),
        ),
      ]);
    };
  },
});
