import type { OAuthProvider } from '#domain/social/oauth-providers.ts';

/** One drawing of a mark: a path, filled by the even-odd rule. */
export interface MarkLayer {
  readonly ink: string;
  readonly path: string;
  /** The path uses the whole 24 x 24 grid, and is scaled down to fit the tile. */
  readonly small?: true;
}

/** A mark on a grid of 24 x 24. A mark of one colour uses the text's colour, so that it is visible in both schemes. */
export interface ProviderDrawing {
  /** The colour of a tile behind it, if the brand's mark has one. */
  readonly tile?: string;
  readonly layers: readonly MarkLayer[];
}

const piece = (ink: string, path: string): MarkLayer => ({ ink, path });

/**
 * The logos of the three most common providers, in their official colours. They are part of the first rendering, so that a typical page
 * need not be drawn again for them. The others load with the login's code.
 */
export const COMMON_MARKS: Readonly<Partial<Record<OAuthProvider, ProviderDrawing>>> = {
  // https://developers.google.com/identity/branding-guidelines
  google: {
    layers: [
      piece(
        '#ea4335',
        'M12 4.75c1.77 0 3.35.61 4.6 1.8l3.43-3.43C17.95 1.19 15.24 0 12 0 7.31 0 3.26 2.69 1.28 6.61l3.99 3.1c.95-2.85 3.6-4.96 6.73-4.96',
      ),
      piece(
        '#4285f4',
        'M23.49 12.28c0-.79-.07-1.55-.19-2.28H12v4.51h6.47a5.6 5.6 0 0 1-2.39 3.59l3.87 3c2.25-2.09 3.54-5.18 3.54-8.82',
      ),
      piece('#fbbc05', 'M5.27 14.3a7.3 7.3 0 0 1 0-4.59l-3.99-3.1a12 12 0 0 0 0 10.78z'),
      piece(
        '#34a853',
        'M12 24c3.24 0 5.97-1.06 7.95-2.9l-3.87-3c-1.08.72-2.46 1.15-4.08 1.15-3.13 0-5.78-2.11-6.73-4.95l-3.99 3.09A12 12 0 0 0 12 24',
      ),
    ],
  },
  // https://learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps
  microsoft: {
    layers: [
      piece('#f25022', 'M0 0h11.4v11.4H0z'),
      piece('#7fba00', 'M12.6 0H24v11.4H12.6z'),
      piece('#00a4ef', 'M0 12.6h11.4V24H0z'),
      piece('#ffb900', 'M12.6 12.6H24V24H12.6z'),
    ],
  },
  // https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple
  apple: {
    layers: [
      piece(
        'currentcolor',
        'M12.15 6.9c-.95 0-2.42-1.08-3.96-1.04-2.04.03-3.91 1.18-4.96 3.01-2.12 3.68-.55 9.1 1.52 12.1 1.01 1.45 2.2 3.09 3.79 3.03 1.52-.06 2.09-.98 3.93-.98 1.83 0 2.35.98 3.96.95 1.64-.03 2.68-1.48 3.68-2.95 1.16-1.69 1.64-3.33 1.66-3.42-.04-.01-3.18-1.22-3.22-4.85-.03-3.04 2.48-4.5 2.6-4.56-1.43-2.1-3.63-2.33-4.39-2.38-2-.16-3.68 1.09-4.61 1.09zM15.53 3.83c.84-1.01 1.4-2.43 1.25-3.83-1.21.05-2.66.8-3.53 1.82-.78.9-1.46 2.33-1.28 3.71 1.34.1 2.72-.69 3.56-1.7',
      ),
    ],
  },
};
