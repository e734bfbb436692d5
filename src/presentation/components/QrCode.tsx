import { useMemo } from 'react';
import { encode } from 'uqr';

/** The quiet zone that a scanner needs around the code, in modules. */
const BORDER = 4;

/** The code's size and dark modules; null for a text that is too long for one. */
function codeOf(text: string): { readonly size: number; readonly path: string } | null {
  try {
    const { size, data } = encode(text, { ecc: 'M', border: BORDER });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: dark.join('') };
  } catch {
    return null;
  }
}

/** A QR code as a vector picture, dark on white in every scheme, because scanners expect that. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = useMemo(() => codeOf(text), [text]);
  if (code === null) return null;
  const { size, path } = code;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as an img, its data URL would need img-src data: in the page's policy
    <svg data-part="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} focusable="false">
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  );
}
