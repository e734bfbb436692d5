import type { DeviceKey } from '../../en/consent.ts';

/** The page for devices that show a code, in Japanese. */
export const jaDevices: Readonly<Record<DeviceKey, string>> = {
  'device.title': 'デバイスを接続',
  'device.label': 'デバイスに表示されたコード',
  'device.continue': '続ける',
  'device.warning':
    '目の前にあるデバイスだけを許可してください。メールや電話でコードを求める人に、コードは必要ありません。',
  'device.code': 'デバイスに表示されているコード：',
  'device.program': 'プログラム：{program}',
  'device.program.unknown': 'デバイスのプログラムは不明です。',
  'device.network.same': 'このブラウザと同じネットワークにあります：{network}',
  'device.network.other': 'このブラウザとは別のネットワークにあります：{network}',
  'device.network.unknown': 'デバイスのネットワークは不明です。',
  'device.done.title': 'デバイスを接続しました',
  'device.done.text': 'デバイスに戻ってください。このページを閉じてもかまいません。',
  'device.denied': 'デバイスのアクセスは拒否されました。このページを閉じてもかまいません。',
};
