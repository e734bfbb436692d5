import { useData, withBase } from 'vitepress';
import { defineComponent, h, ref, watch } from 'vue';

const TEXTS = { idle: 'Copy page', done: 'Copied', failed: 'Could not copy' } as const;

/** Copies the page as Markdown, and links to the Markdown. */
export const CopyPage = defineComponent({
  setup() {
    const { page } = useData();
    const state = ref<keyof typeof TEXTS>('idle');
    watch(
      () => page.value.relativePath,
      () => (state.value = 'idle'),
    );
    const copy = async (path: string): Promise<void> => {
      try {
        const response = await fetch(path);
        if (!response.ok) throw new Error(response.statusText);
        await navigator.clipboard.writeText(await response.text());
        state.value = 'done';
      } catch {
        state.value = 'failed';
      }
    };
    return () => {
      const path = withBase(`/${page.value.relativePath}`);
      return h('section', { class: 'page-text', 'aria-label': 'This page as text' }, [
        h('button', { type: 'button', onClick: () => void copy(path) }, TEXTS[state.value]),
        h('a', { href: path, target: '_self' }, 'View as Markdown'),
        h('span', { class: 'visually-hidden', role: 'status' }, state.value === 'idle' ? '' : TEXTS[state.value]),
      ]);
    };
  },
});
