import { defineComponent, h } from 'vue';

/** A link of the navigation to the demo, which is not a page of this site. VitePress would resolve it below `/docs/`. */
export const DemoLink = defineComponent({
  props: { text: { type: String, required: true }, href: { type: String, required: true }, screenMenu: Boolean },
  setup: (props) => () =>
    h('a', { class: ['demo-link', { 'in-screen': props.screenMenu }], href: props.href, target: '_self' }, props.text),
});
