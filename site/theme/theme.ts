import DefaultTheme from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';
import { h } from 'vue';
import { DemoLink } from './demo-link.ts';
import { LiveExample } from './live-example.ts';
import './theme.css';
import './configuration.css';
import './reference.css';

export const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(LiveExample, { place: 'above' }),
      'aside-top': () => h(LiveExample, { place: 'beside' }),
    }),
  enhanceApp: ({ app }) => void app.component('DemoLink', DemoLink),
};
