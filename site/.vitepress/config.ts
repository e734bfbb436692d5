export { siteConfig as default } from '../config.ts';
