import type { LoginConfig } from '../../../domain/widget-config.ts';
import type { WidgetParts } from '../mounted-widget.ts';
import type { Effect } from '../widget-store.ts';

export function passkeyLoginEffects(_parts: WidgetParts, _config: () => LoginConfig): readonly Effect[] {
  return [];
}
