import { defineComponent, h, onMounted, useTemplateRef } from 'vue';

/** The side bar is a landmark without a name around another, its navigation: that one is enough. */
export const SidebarRole = defineComponent({
  setup() {
    const here = useTemplateRef<HTMLElement>('here');
    onMounted(() => here.value?.closest('aside')?.setAttribute('role', 'none'));
    return () => h('span', { ref: 'here', hidden: true });
  },
});

/**
 * VitePress makes the title of the outline a heading, which precedes the page's own in the document. Its navigation keeps the title as
 * name.
 */
export const OutlineTitle = defineComponent({
  setup() {
    const here = useTemplateRef<HTMLElement>('here');
    onMounted(() => {
      const title = here.value?.parentElement?.querySelector('#doc-outline-aria-label');
      title?.removeAttribute('role');
      title?.removeAttribute('aria-level');
    });
    return () => h('span', { ref: 'here', hidden: true });
  },
});
