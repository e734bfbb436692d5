import type { ProviderDrawing } from '../parts/common-marks.ts';

/**
 * A provider's icon, hidden from screen readers, because the button's label names the provider. While the drawing is missing (it may load
 * later), its space is reserved.
 */
export function ProviderMark({ tile, layers }: Partial<ProviderDrawing>) {
  return (
    <svg data-part="provider-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {tile && <rect width="24" height="24" rx="6" fill={tile} />}
      {layers?.map(({ ink, path, small }) => (
        <path key={path} d={path} fill={ink} transform={small && 'translate(4.8 4.8) scale(.6)'} />
      ))}
    </svg>
  );
}
