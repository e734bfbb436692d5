import type { ProviderDrawing } from '../common-marks.ts';

/** The mark of Yahoo, for its login and its mailboxes. */
export const yahoo: ProviderDrawing = {
  layers: [
    {
      ink: '#6001d2',
      path: 'M18.86 1.56l-4.59 10.31h5.13l4.6-10.31h-5.14m-18.86 5.15l5.15 11.56-1.85 4.17h4.53l6.86-15.73h-4.5l-2.8 6.73-2.77-6.73h-4.62m15.62 6.16c-1.67 0-2.91 1.25-2.91 2.71 0 1.42 1.2 2.61 2.79 2.61 1.68 0 2.93-1.23 2.93-2.69 0-1.47-1.2-2.63-2.81-2.63z',
    },
  ],
};
