import { parse, type ParsedToken, type ParseOptions, type TokenType } from 'sugar-high/core';
import * as html from 'sugar-high/lang/html';
import * as ts from 'sugar-high/lang/typescript';

/** The package types its presets more narrowly than the functions that accept them. */
const TS = ts as ParseOptions;
const HTML = html as ParseOptions;

export interface Piece {
  readonly text: string;
  /** The class of the stylesheet with its colour; null for plain text. */
  readonly kind: string | null;
}

/** Kinds with the look of plain text, and those of lines and blanks. */
const PLAIN: ReadonlySet<TokenType> = new Set(['identifier', 'sign', 'space', 'break', 'jsxliterals', 'property']);
const SCRIPT = /(?<=<script[^>]*>\n)[\s\S]*?(?=<\/script>)/gu;

/** Code in coloured pieces. The joined pieces equal the code. */
export function highlight(code: string, language: 'ts' | 'html'): readonly Piece[] {
  if (language === 'ts') return piecesOf(code, TS);
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of code.matchAll(SCRIPT)) {
    pieces.push(...piecesOf(code.slice(at, found.index), HTML), ...piecesOf(found[0], TS));
    at = found.index + found[0].length;
  }
  return [...pieces, ...piecesOf(code.slice(at), HTML)];
}

function piecesOf(code: string, language: ParseOptions): readonly Piece[] {
  const lines = parse(code, language).lines.map(({ tokens }) => tokens.filter(({ type }) => type !== 'break'));
  const pieces = lines.flatMap((tokens, line) => [
    ...(line > 0 ? [{ text: '\n', kind: null }] : []),
    ...tokens.map(pieceOf),
  ]);
  // If the joined pieces differ from the code, it is shown without colours.
  return pieces.map(({ text }) => text).join('') === code ? pieces : [{ text: code, kind: null }];
}

const pieceOf = ({ type, value }: ParsedToken): Piece => ({ text: value, kind: PLAIN.has(type) ? null : type });
