import type { WalletKind } from '#domain/wallets/wallets.ts';
import type { Elements } from '../../elements.ts';

const WHITE = '#fff';
const YELLOW = '#f0b90b';
const GREEN = '#19e6a8';

/** The colour of each tile and the drawing on it, all of one optical size. */
const MARKS: Readonly<Record<WalletKind, readonly [tile: string, drawing: Elements]>> = {
  metamask: [
    '#c95b0c',
    <polygon
      key="head"
      fill={WHITE}
      points="4,4 8.6,7.2 11.4,7.2 16,4 14.9,10.2 15.7,13.8 12.5,13 11,15.4 9,15.4 7.5,13 4.3,13.8 5.1,10.2"
    />,
  ],
  coinbase: [
    '#0052ff',
    <circle
      key="coin"
      cx="10"
      cy="10"
      r="4.6"
      stroke={WHITE}
      strokeWidth="2.6"
      strokeDasharray="23 5.9"
      strokeDashoffset="-2.95"
    />,
  ],
  phantom: [
    '#534bb1',
    <g key="ghost">
      <g fill={WHITE}>
        <path d="M4.4 14.2C4.4 8.8 7 5 10.7 5c2.9 0 4.9 2 4.9 4.7 0 3.3-2 5.1-3.3 5.1-.8 0-1.1-.6-1.2-1.3-.7 1-1.6 1.5-2.5 1.5-.8 0-1.3-.4-1.4-1.1-.5.5-1.1.8-1.7.8-.6 0-1.1-.2-1.1-.5" />
      </g>
      <ellipse cx="10.4" cy="9.2" rx=".8" ry="1.3" fill="#534bb1" />
      <ellipse cx="13.2" cy="9.2" rx=".8" ry="1.3" fill="#534bb1" />
    </g>,
  ],
  vessel: [
    '#0b6f6a',
    <g key="boat" fill={WHITE}>
      <polygon points="10.6,4 15,11 10.6,11" />
      <polygon points="9.2,6.4 9.2,11 5.8,11" />
      <path d="M4 12.4h12c-.5 2.2-1.8 3.4-3.6 3.4H7.6c-1.8 0-3.1-1.2-3.6-3.4" />
    </g>,
  ],
  binance: [
    '#2b2f36',
    <g key="diamonds" fill={YELLOW}>
      <polygon points="10,8 12,10 10,12 8,10" />
      <polygon points="10,3.6 13.8,7.4 12.3,8.9 10,6.6 7.7,8.9 6.2,7.4" />
      <polygon points="10,16.4 13.8,12.6 12.3,11.1 10,13.4 7.7,11.1 6.2,12.6" />
      <polygon points="5.1,8.5 6.6,10 5.1,11.5 3.6,10" />
      <polygon points="14.9,8.5 16.4,10 14.9,11.5 13.4,10" />
    </g>,
  ],
  ethereum: [
    '#4a63c9',
    <g key="octahedron" fill={WHITE}>
      <polygon points="10,3 14.4,10.1 10,12.6 5.6,10.1" />
      <polygon points="10,17 14.4,11.4 10,13.9 5.6,11.4" />
    </g>,
  ],
  solana: [
    '#2a2140',
    <g key="bars" fill={GREEN}>
      <polygon points="6.4,4.9 15.6,4.9 13.6,7 4.4,7" />
      <polygon points="4.4,8.9 13.6,8.9 15.6,11 6.4,11" />
      <polygon points="6.4,13 15.6,13 13.6,15.1 4.4,15.1" />
    </g>,
  ],
};

/** A wallet's icon, hidden from screen readers. */
export function WalletMark({ wallet }: { readonly wallet: WalletKind }) {
  const [tile, drawing] = MARKS[wallet];
  return (
    <svg data-part="provider-mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <rect width="20" height="20" rx="5" fill={tile} />
      <g>{drawing}</g>
    </svg>
  );
}

/** The generic wallet icon of the button for other wallets, in the text's colour. */
export function AnyWalletMark() {
  return (
    <svg data-part="provider-mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <g fill="none" stroke="currentColor" strokeWidth="1.6">
        <path d="M15.5 6V4.2a1.4 1.4 0 0 0-1.8-1.4L3.6 5.4A1.9 1.9 0 0 0 2.2 7.2v8.3c0 1 .8 1.8 1.8 1.8h12c1 0 1.8-.8 1.8-1.8v-7c0-1-.8-1.8-1.8-1.8H3.6M14.2 12v.01" />
      </g>
    </svg>
  );
}
