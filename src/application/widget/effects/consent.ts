import type { IdentityProviderOptions } from '../identity-provider-widget.ts';
import type { WidgetParts } from '../mounted-widget.ts';
import type { Effect } from '../widget-store.ts';

export function consentEffects(_parts: WidgetParts, _options: () => IdentityProviderOptions): readonly Effect[] {
  return [];
}
