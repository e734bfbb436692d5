/** Google One Tap in the widget (specification, sections 2, 4 and 9). */

/** Where the prompt stands: in the widget, over the page, or what the other two fall back to. */
export type OneTapPosition = 'embedded' | 'floating' | 'embeddedOnly' | 'floatingOrEmbedded' | 'forceLegacyEmbedded';

/** The prompt's place is as high as the plain button once the person has cancelled it. */
export const ONE_TAP_CANCELLED_HEIGHT = 47;

/** What became of the prompt. The plain button shows in every state but `pending` and `rendered`. */
export type OneTapState =
  | { readonly status: 'idle' }
  | { readonly status: 'pending' }
  | { readonly status: 'rendered' }
  | { readonly status: 'cancelled' }
  /** It did not come; `reason` is one of the specification's section 8, or the library's own word. */
  | { readonly status: 'refused'; readonly reason: string };
