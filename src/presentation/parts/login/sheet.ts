import { createElement, useInsertionEffect, type ComponentType, type ReactNode } from 'react';
import emailedCss from '../../theme/parts/emailed.css?inline';
import passcodeCss from '../../theme/parts/passcode.css?inline';
import socialCss from '../../theme/parts/social.css?inline';
import statesCss from '../../theme/parts/states.css?inline';
import { addStyles } from '../../theme/stylesheet.ts';

/** The style sheet of the login, which comes before those of the other parts. */
export const SHEET = statesCss + emailedCss + passcodeCss + socialCss;

/** Adopts the style sheet of the login. The browser then matches the whole form again, which a page without interaction avoids. */
export const adoptSheet = (): void => addStyles(SHEET);

/** Wraps a component so that it adopts the sheet before it is in the page. */
export function withSheet<Props extends object>(Component: ComponentType<Props>): (props: Props) => ReactNode {
  return (props) => {
    useInsertionEffect(adoptSheet, []);
    return createElement(Component, props);
  };
}
