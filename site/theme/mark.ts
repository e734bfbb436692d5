import { h, type FunctionalComponent } from 'vue';

const ARCH = 'M8.5 24.5V15a7.5 7.5 0 0 1 15 0v9.5M14 24.5V16a2 2 0 0 1 4 0v8.5';

/** The mark in the header, as in the demo's: `demo/parts/top.html`. */
export const Mark: FunctionalComponent = () =>
  h('svg', { viewBox: '0 0 32 32', width: 28, height: 28, class: 'mark', 'aria-hidden': 'true', focusable: 'false' }, [
    h('rect', { width: 32, height: 32, rx: 8, fill: 'currentColor' }),
    h('path', { d: ARCH, fill: 'none', 'stroke-width': 2.5, 'stroke-linecap': 'round' }),
  ]);
