import DefaultTheme from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';
import { DemoLink } from './demo-link.ts';
import './theme.css';

export const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('DemoLink', DemoLink),
};
