/**
 * Where Google's prompt shows. A browser that draws the prompt itself (FedCM) always shows it over the page. In that case, and in
 * a shadow root, the prompt cannot show in the widget.
 *
 * - `embedded`: in the widget; over the page when the widget is not possible;
 * - `embeddedOnly`: in the widget; only the plain button shows when the widget is not possible;
 * - `floating`: over the page;
 * - `floatingOrEmbedded`: over the page; in the widget when it does not appear there;
 * - `forceLegacyEmbedded`: in the widget, drawn by Google's script even when the browser supports FedCM.
 */
export const OneTapPositions = {
  embedded: 'embedded',
  floating: 'floating',
  embeddedOnly: 'embeddedOnly',
  floatingOrEmbedded: 'floatingOrEmbedded',
  forceLegacyEmbedded: 'forceLegacyEmbedded',
} as const;
export type OneTapPositions = (typeof OneTapPositions)[keyof typeof OneTapPositions];
/** The position of Google's prompt. */
export type OneTapPosition = OneTapPositions;
