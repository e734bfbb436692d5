import { useData, useRoute } from 'vitepress';
import { defineComponent, onMounted, watch } from 'vue';

/** Pictures have a source for a dark system. On this site the header's switch decides. */
export const Pictures = defineComponent({
  setup() {
    const { isDark } = useData();
    const route = useRoute();
    const choose = () => {
      for (const source of document.querySelectorAll<HTMLSourceElement>('picture source')) {
        source.media = isDark.value ? 'all' : 'not all';
      }
    };
    onMounted(() => watch([isDark, () => route.data], choose, { immediate: true, flush: 'post' }));
    return () => null;
  },
});
