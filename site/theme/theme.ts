import DefaultTheme, { VPHomeFeatures, VPHomeHero } from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';
import { h } from 'vue';
import { DemoLink } from './demo-link.ts';
import { LiveExample } from './live-example.ts';
import { Mark } from './mark.ts';
import './theme.css';
import './configuration.css';
import './reference.css';

/** VitePress' own first page has no main landmark. */
const landing = () => h('main', { class: 'VPHome' }, [h(VPHomeHero), h(VPHomeFeatures)]);

export const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-title-before': () => h(Mark),
      'doc-before': () => h(LiveExample, { place: 'above' }),
      'aside-top': () => h(LiveExample, { place: 'beside' }),
    }),
  enhanceApp: ({ app }) => {
    app.component('DemoLink', DemoLink);
    app.component('home', landing);
  },
};
