import type { ButtonStyle, ContainerStyle, InputStyle, StyleConfig } from '../../src/domain/widget/theme.ts';
import { THEMES, WAYS } from '../../demo/parts/presets.ts';
import type { Example, ExamplesOf } from './example.ts';

const of = (styles: StyleConfig, see: string): Example => ({
  choices: { styles: { preset: 'modern', ...styles } },
  see,
});
const container = (container: ContainerStyle, see: string): Example => of({ container }, see);
const buttons = (style: ButtonStyle, see: string): Example => ({
  choices: { config: WAYS.social, styles: { preset: 'modern', buttons: { primary: style, secondary: style } } },
  see,
});
const inputs = (style: InputStyle, see: string): Example => of({ inputs: style }, see);

export const STYLES: ExamplesOf<StyleConfig> = {
  preset: of({ preset: 'soft' }, 'The theme `soft`; the other seven are in the playground.'),
  container: of({ container: THEMES.brand.container }, 'The card has another colour, border and radius.'),
  colors: of({ colors: { primary: '#5b2a86', secondary: '#6b5573' } }, 'Texts have the colours of the host.'),
  buttons: of({ buttons: THEMES.brand.buttons }, 'The button is violet and round.'),
  inputs: of({ inputs: THEMES.brand.inputs }, 'The field has another border and radius.'),
  fontFamily: of({ fontFamily: 'Georgia, serif' }, 'The texts have serifs.'),
  hideHeaderText: of({ hideHeaderText: true }, 'The first screen has no title.'),
  logo: of({ logo: { logoImageUrl: '/logo.svg' } }, 'A logo stands above the first screen.'),
};

export const CONTAINER: ExamplesOf<ContainerStyle> = {
  backgroundColor: container({ backgroundColor: '#fffdf8' }, 'The card is ivory.'),
  borderColor: container({ borderColor: '#b08d57' }, 'The border of the card is golden.'),
  borderRadius: container({ borderRadius: 24 }, 'The corners of the card are round.'),
  width: container({ width: 320 }, 'The card is 320 pixels wide at most.'),
};

export const BUTTONS: ExamplesOf<ButtonStyle> = {
  backgroundColor: buttons({ backgroundColor: '#5b2a86', textColor: '#ffffff' }, 'The buttons are violet.'),
  borderColor: buttons({ borderColor: '#b08d57' }, 'The borders of the buttons are golden.'),
  borderRadius: buttons({ borderRadius: 22 }, 'The buttons are round.'),
  textColor: buttons({ textColor: '#7a3b00', backgroundColor: '#fff6e8' }, 'The texts of the buttons are brown.'),
};

export const INPUTS: ExamplesOf<InputStyle> = {
  backgroundColor: inputs({ backgroundColor: '#f3f0fa' }, 'The field is pale violet.'),
  borderColor: inputs({ borderColor: '#5b2a86' }, 'The border of the field is violet.'),
  borderRadius: inputs({ borderRadius: 20 }, 'The field is round.'),
  textColor: inputs({ textColor: '#5b2a86' }, 'What you type is violet.'),
  placeholderColor: inputs({ placeholderColor: '#8a4b00' }, 'The hint in the empty field is brown.'),
};
