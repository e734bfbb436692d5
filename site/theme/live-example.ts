import { useData } from 'vitepress';
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue';

/** The name of the frame: links with this target show their example in it. */
const FRAME = 'live-example';
/** The width from which the example is next to the text. It must equal the style sheet's. */
const BESIDE = '(min-width: 1280px)';

/** The live example of the configuration's page: next to the text, or on a small screen in a collapsible section. */
export const LiveExample = defineComponent({
  props: { place: { type: String as () => 'beside' | 'above', required: true } },
  setup(props) {
    const { frontmatter, isDark } = useData();
    const isHere = ref(false);
    const isOpen = ref(false);
    const hint = ref('');
    const address = ref('/embed');
    const isLoaded = ref(false);
    const media = typeof matchMedia === 'function' ? matchMedia(BESIDE) : null;
    const place = (): void => {
      isHere.value = (media?.matches ?? false) === (props.place === 'beside');
    };
    const followLinks = (event: MouseEvent): void => {
      const { target, ctrlKey, metaKey, shiftKey } = event;
      const link = target instanceof Element ? target.closest(`a[target="${FRAME}"]`) : null;
      if (!(link instanceof HTMLAnchorElement) || !isHere.value || ctrlKey || metaKey || shiftKey) return;
      // The first page of the frame, which begins to load when the section opens, would replace the page of the link.
      if (!isLoaded.value) {
        event.preventDefault();
        address.value = link.href;
      }
      isOpen.value = true;
      hint.value = link.nextElementSibling?.textContent ?? '';
      for (const one of document.querySelectorAll(`a[target="${FRAME}"][aria-current]`))
        one.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
    };
    onMounted(() => {
      place();
      media?.addEventListener('change', place);
      document.addEventListener('click', followLinks);
    });
    onBeforeUnmount(() => {
      media?.removeEventListener('change', place);
      document.removeEventListener('click', followLinks);
    });
    const frame = () => [
      h('p', { class: 'live-hint', role: 'status' }, hint.value || 'Press “Try it” at an option.'),
      h('iframe', {
        name: FRAME,
        src: address.value,
        onLoad: () => (isLoaded.value = true),
        onVnodeUnmounted: () => {
          isLoaded.value = false;
          address.value = '/embed';
        },
        title: 'Live example',
        loading: 'lazy',
        class: ['live-frame', isDark.value ? 'is-dark' : 'is-light'],
      }),
    ];
    return () => {
      if (frontmatter.value['pageClass'] !== 'with-playground' || !isHere.value) return null;
      if (props.place === 'beside')
        return h('section', { class: 'live beside', 'aria-label': 'Live example' }, frame());
      return h(
        'details',
        {
          class: 'live above',
          open: isOpen.value,
          onToggle: (event: Event) => (isOpen.value = (event.target as HTMLDetailsElement).open),
        },
        [h('summary', 'Live example'), ...frame()],
      );
    };
  },
});
