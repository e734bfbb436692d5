import { expect, test } from './fixtures.ts';
import { emailField, sendButton } from './visitor.ts';

interface DemoWindow {
  readonly __demo: { readonly client: { mountLogin(options: object): { unmount(): void } } };
}

/** An element of the page for a login, and other places for it. */
interface Place {
  element: HTMLElement;
  mount(enableShadowDOM?: boolean): void;
  /** A shadow root in the document, and the document of a frame. */
  readonly shadow: ShadowRoot;
  readonly frame: Document;
}

type Journey = readonly [name: string, first: (place: Place) => void, later?: (place: Place) => void];

const JOURNEYS: readonly Journey[] = [
  [
    'before its element is in the document',
    ({ element, mount }) => {
      mount();
      document.body.append(element);
    },
  ],
  ['before a later task inserts its element', ({ mount }) => mount(), ({ element }) => document.body.append(element)],
  [
    'in a fragment',
    ({ element, mount }) => {
      const fragment = document.createDocumentFragment();
      fragment.append(element);
      mount();
      document.body.append(fragment);
    },
  ],
  [
    'in the content of a template, whose document no window shows',
    (place) => {
      const template = document.createElement('template');
      template.content.append(place.element);
      place.mount();
    },
    ({ element }) => document.body.append(element),
  ],
  [
    'in a shadow root whose host is not in the document',
    ({ element, mount }) => {
      const host = document.createElement('section');
      host.attachShadow({ mode: 'open' }).append(element);
      mount();
    },
    ({ element }) => document.body.append((element.getRootNode() as ShadowRoot).host),
  ],
  [
    'in the document, then moved to a shadow root',
    ({ element, mount }) => {
      document.body.append(element);
      mount();
    },
    ({ element, shadow }) => shadow.append(element),
  ],
  [
    'in a shadow root, then moved to the document',
    ({ element, shadow, mount }) => {
      shadow.append(element);
      mount();
    },
    ({ element }) => document.body.append(element),
  ],
  [
    'in the document, removed, then inserted into a shadow root',
    ({ element, mount }) => {
      document.body.append(element);
      mount();
      element.remove();
    },
    ({ element, shadow }) => shadow.append(element),
  ],
  [
    'in the document, then moved to a frame',
    ({ element, mount }) => {
      document.body.append(element);
      mount();
    },
    ({ element, frame }) => frame.body.append(element),
  ],
  [
    'in a frame, then moved to the document',
    ({ element, frame, mount }) => {
      frame.body.append(element);
      mount();
    },
    ({ element }) => document.body.append(element),
  ],
  [
    'in its own shadow root, then moved to a frame',
    ({ element, mount }) => {
      document.body.append(element);
      mount(true);
    },
    ({ element, frame }) => frame.body.append(element),
  ],
];

test(
  'a login has its styles in every place into which its element comes, at once',
  { tag: '@every' },
  async ({ page, demoPath }) => {
    const open = async (): Promise<void> => {
      await page.goto(demoPath);
      await expect(emailField(page)).toBeVisible();
    };
    await open();
    // The page's own login has another preset.
    await page.evaluate(() => {
      const { client } = (window as unknown as DemoWindow).__demo;
      document.querySelector('#widget')?.remove();
      const elementId = document.body.appendChild(document.createElement('div'));
      elementId.id = 'widget';
      client.mountLogin({ elementId, config: { products: ['otp'], otpOptions: { methods: ['email'] } } });
    });
    const looks = await sendButton(page).evaluate((button) => {
      const { height, backgroundColor } = getComputedStyle(button);
      return [height, backgroundColor];
    });
    await open();
    // Without the widget of the page, nothing else brings the document its styles.
    for (const [name, first, later] of JOURNEYS) {
      const place = await page.evaluateHandle((): Place => {
        const { client } = (window as unknown as DemoWindow).__demo;
        document.querySelector('#widget')?.remove();
        const element = document.createElement('div');
        const host = document.body.appendChild(document.createElement('section'));
        const frame = document.body.appendChild(document.createElement('iframe'));
        return {
          element,
          mount: (enableShadowDOM = false) =>
            void client.mountLogin({
              elementId: element,
              config: { products: ['otp'], otpOptions: { methods: ['email'] }, enableShadowDOM },
            }),
          shadow: host.attachShadow({ mode: 'open' }),
          frame: frame.contentDocument as Document,
        };
      });
      const seen = () =>
        place.evaluate(({ element }) => {
          const card = element.querySelector('[data-portico]') ?? element.firstElementChild?.shadowRoot;
          const button = card?.querySelector('[data-look=primary]');
          if (!button) return [];
          const { height, backgroundColor } = getComputedStyle(button);
          return [height, backgroundColor];
        });
      await place.evaluate(first);
      if (later) {
        await page.evaluate(() => new Promise((done) => void setTimeout(done, 300)));
        await place.evaluate(later);
        // In the same task as the insertion, and so before the next frame.
        expect.soft(await seen(), name).toEqual(looks);
      } else await expect.poll(seen, name).toEqual(looks);
    }
  },
);
