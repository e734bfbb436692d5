import type { ComponentType } from 'react';
import type { ScreenName, ScreenOf } from '../../domain/screens/screen.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';

/** What every screen is rendered with: its own data, and the state around it. */
export interface ScreenProps<Name extends ScreenName> {
  readonly screen: ScreenOf<Name>;
  readonly state: WidgetState;
}

/** The screens of a part that is loaded when it is needed. */
export type LateScreens<Names extends ScreenName> = { readonly [Name in Names]: ComponentType<ScreenProps<Name>> };
