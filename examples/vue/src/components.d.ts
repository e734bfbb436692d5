/** TypeScript does not read the files of components. */
declare module '*.vue' {
  import type { Component } from 'vue';

  const component: Component;
  export default component;
}
