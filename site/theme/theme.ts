import DefaultTheme from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';
import { h } from 'vue';
import { CopyPage } from './copy-page.ts';
import { DemoLink } from './demo-link.ts';
import { Home } from './home.ts';
import { OutlineTitle, SidebarRole } from './landmarks.ts';
import { LiveExample } from './live-example.ts';
import { Mark } from './mark.ts';
import { Pictures } from './pictures.ts';
import './theme.css';
import './configuration.css';
import './home.css';
import './reference.css';

export const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-title-before': () => h(Mark),
      'doc-before': () => [h(CopyPage), h(LiveExample, { place: 'above' })],
      'doc-bottom': () => h(Pictures),
      'aside-top': () => h(LiveExample, { place: 'beside' }),
      'aside-outline-after': () => h(OutlineTitle),
      'sidebar-nav-before': () => h(SidebarRole),
    }),
  enhanceApp: ({ app }) => {
    app.component('DemoLink', DemoLink);
    app.component('home', Home);
  },
};
