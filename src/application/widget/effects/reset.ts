import type { LoginConfig } from '../../../domain/widget-config.ts';
import type { WidgetParts } from '../mounted-widget.ts';
import type { Effect } from '../widget-store.ts';

export function resetEffects(_parts: WidgetParts, _config: () => LoginConfig, _token: string): readonly Effect[] {
  return [];
}
