import type { DescribedHash } from '#provider/accounts/passwords/exported/migrated-hash.ts';

/*
 * Hashes that other programs made: vectors of the products' own tests and documents, those of people who published an export with its
 * password, and some that the vendor's package, or Python's hashlib where there is none for Node, made for this file. None is made by code of this project.
 */

interface VendorHash {
  /** The form, and who made it. */
  readonly name: string;
  readonly password: string;
  readonly described: DescribedHash;
}

const PASSWORD = 'violet tractor moon 88';
/** Decomposed letters, a ligature and a character beyond the first 65,536. */
export const UNICODE = 'Pa\u0301ssw\u00f6rd \ufb01ne \u{1F600} 88';
export const LONG = `${'0123456789abcdef'.repeat(5)} long`;
/** Of the documents of firebase/scrypt. */
export const FIREBASE = {
  base64_signer_key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  base64_salt_separator: 'Bw==',
  rounds: 8,
  mem_cost: 14,
};
const FIREBASE_SALT = '42xEC+ixf3L2lw==';

const keycloak = (algorithm: string, hashIterations: number, value: string, salt: string): string =>
  JSON.stringify({
    type: 'password',
    secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters: {} }),
  });
const KEYCLOAK_ARGON2 =
  '{"id":"1","type":"password","secretData":"{\\"value\\":\\"BruFLfFkjH/8erZ26NnrbkOrWiZuQyDRCHD9o0R6Scg=\\",\\"salt\\":\\"Cf9AYCE5pAbb4CKEF0GUTA==\\",\\"additionalParameters\\":{}}","credentialData":"{\\"hashIterations\\":5,\\"algorithm\\":\\"argon2\\",\\"additionalParameters\\":{\\"hashLength\\":[\\"32\\"],\\"memory\\":[\\"7168\\"],\\"type\\":[\\"id\\"],\\"version\\":[\\"1.3\\"],\\"parallelism\\":[\\"1\\"]}}"}';

const vendor = (name: string, password: string, hash: string, more: Omit<DescribedHash, 'hash'> = {}): VendorHash => {
  return { name, password, described: { hash, ...more } };
};

/** Greek letters of passlib's tests. */
const GREEK = '\u0399\u03c9\u03b1\u03bd\u03bd\u03b7\u03c2';

/** Forms whose text shows their type. */
export const BY_TEXT: readonly VendorHash[] = [
  vendor('Firebase (vector of firebase/scrypt)', 'user1password', 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==', { salt: FIREBASE_SALT, firebase_config: FIREBASE }),
  vendor('Firebase in the alphabet for addresses (firebase-scrypt 2.2.0)', PASSWORD, 'lsTZ_fAELq1iDlfdsGadKIA6-g3bUw2hJ7OKcPb1NUD-t_CwZKqr2IU5Yh6oeJcdSfkf0tjzJN7eyzuIqO2tsA==', { salt: '42xEC-ixf3L2lw==', firebase_config: FIREBASE }),
  vendor('Firebase of Unicode (firebase-scrypt 2.2.0)', UNICODE, 'chiM7xjMsv9oxXCksLqr83ylWKqGU7B8PQXnPACYnHWVIRN/OWxC0++xwy1vLGGEDZpakQYUtReJq0my4FPfzw==', { salt: FIREBASE_SALT, firebase_config: FIREBASE }),
  vendor('Firebase by Ory Kratos (its tests)', '8x4WjoDbSxJZdR', '$firescrypt$ln=14,r=8,p=1$sPtDhWcd1MfdAw==$xbSou7FOl6mChCyzpCPIQ7tku7nsQMTFtyOZSXXd7tjBa4NtimOx7v42Gv2SfzPQu1oxM2/k4SsbOu73wlKe1A==$Bw==$YE0dO4bwD4JnJafh6lZZfkp1MtKzuKAXQcDCJNJNyeCHairWHKENOkbh3dzwaCdizzOspwr/FITUVlnOAwPKyw=='),
  vendor('Firebase by Clerk (vector of firebase/scrypt)', 'user1password', `lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$${FIREBASE_SALT}$${FIREBASE.base64_signer_key}$Bw==$8$14`),
  vendor('Firebase by Supabase (vector of firebase/scrypt)', 'user1password', `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${FIREBASE.base64_signer_key}$${FIREBASE_SALT}$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==`),
  vendor('Django pbkdf2_sha256 (its tests)', 'l\u00e8tmein', 'pbkdf2_sha256$390000$seasalt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c='),
  vendor('Django pbkdf2_sha1 (djangohashers)', 'ExjGmyUT73bFoT', 'pbkdf2_sha1$24000$KQ8zeK6wKRuR$tSJh4xdxfMJotlxfkCGjTFpGYZU='),
  vendor('Django scrypt (its tests)', 'l\u00e8tmein', 'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw=='),
  vendor('Django argon2 (djangohashers)', 'ExjGmyUT73bFoT', 'argon2$argon2i$v=19$m=512,t=2,p=2$S1E4emVLNndLUnVS$RUET3AC8iXvcVPD2TRjvVQ'),
  vendor('Django argon2 of version 1.0 (argon2_cffi)', 'secret', 'argon2$argon2i$m=8,t=1,p=1$c29tZXNhbHQ$gwQOXSNhxiOxPOA0+PY10P9QFO4NAYysnqRt1GSQLE55m+2GYDt9FEjPMHhP2Cuf0nOEXXMocVrsJAtNSsKyfg'),
  vendor('Django bcrypt_sha256 (djangohashers)', 'ExjGmyUT73bFoT', 'bcrypt_sha256$$2b$12$LZSJchsWG/DrBy1erNs4eeYo6tZNlLFQmONdxN9HPesa1EyXVcTXK'),
  vendor('Django bcrypt (djangohashers)', 'ExjGmyUT73bFoT', 'bcrypt$$2b$12$LZSJchsWG/DrBy1erNs4ee31eJ7DaWiuwhDOC7aqIyqGGggfu6Y/.'),
  vendor('Django sha1 (its tests)', 'l\u00e8tmein', 'sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8'),
  vendor('Django md5 (its tests)', 'l\u00e8tmein', 'md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3'),
  vendor('Django sha1 without a salt (its tests)', 'l\u00e8tmein', 'sha1$$6d138ca3ae545631b3abd71a4f076ce759c5700b'),
  vendor('Keycloak pbkdf2-sha256 with 32 bytes (an export)', 'password', keycloak('pbkdf2-sha256', 27_500, 'JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=', 'P5rtFkGtPfoaryJ6PizUJw==')),
  vendor('Keycloak pbkdf2-sha256 with 64 bytes (an export)', 'password', keycloak('pbkdf2-sha256', 27_500, 'E1wOmdX7G+d0xjw9LLbgcu7rKhhCkfqVK1oBSuu6W3dc5yjJ/lKGMkKF9AW0iNnEm0X/wRYFvTyWXh3fjhkb3g==', 'sZmxNOK9vr12uXWu7xGltQ==')),
  vendor('Keycloak argon2 (an export)', 'password', KEYCLOAK_ARGON2),
  vendor('Keycloak pbkdf2 with SHA-1 (hashlib)', PASSWORD, keycloak('pbkdf2', 20_000, 'PyZP93Q7iuzdkmNms3xj6RmMWAQBugv1cOapnVlaK2iYMDx7qW7CzEL1cy2hguJ/cDcDxdqfVQOBR7ql+KmShQ==', 'fmpBI1r8R1u75hDLMUlwBw==')),
  vendor('Keycloak pbkdf2-sha512 (hashlib)', PASSWORD, keycloak('pbkdf2-sha512', 30_000, 'CYMbbG88HLif6QUP99hRrUC/bkYDsjlqarhKy+Gth+klXJd0/ptFp5SUZDpt0z8MUeagMwRr+EZkJVuLW7BFDA==', 'fmpBI1r8R1u75hDLMUlwBw==')),
  vendor('Keycloak before version 8 (an export)', 'password', '{"type":"password","hashedSaltedValue":"E1wOmdX7G+d0xjw9LLbgcu7rKhhCkfqVK1oBSuu6W3dc5yjJ/lKGMkKF9AW0iNnEm0X/wRYFvTyWXh3fjhkb3g==","salt":"sZmxNOK9vr12uXWu7xGltQ==","hashIterations":27500,"counter":0,"algorithm":"pbkdf2-sha256","digits":0}'),
  vendor('passlib pbkdf2_sha1 (its tests)', 'password', '$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI'),
  vendor('passlib pbkdf2_sha256 (its tests)', GREEK, '$pbkdf2-sha256$1212$3SABFJGDtyhrQMVt1uABPw$WyaUoqCLgvz97s523nF4iuOqZNbp5Nt8do/cuaa7AiI'),
  vendor('passlib pbkdf2_sha512 (its tests)', GREEK, '$pbkdf2-sha512$1212$KkbvoKGsAIcF8IslDR6skQ$8be/PRmd88Ps8fmPowCJttH9G3vgxpG.Krjt3KT.NP6cKJ0V4Prarqf.HBwz0dCkJ6xgWnSj2ynXSV7MlvMa8Q'),
  vendor('Ory Kratos PBKDF2 (its tests)', 'test', '$pbkdf2-sha256$i=100000,l=32$1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc$QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI'),
  vendor('Ory Kratos PBKDF2 with SHA-512, of 32 bytes (its tests)', 'test', '$pbkdf2-sha512$i=100000,l=32$bdHBpn7OWOivJMVJypy2UqR0UnaD5prQXRZevj/05YU$+wArTfv1a+bNGO1iZrmEdVjhA+lL11wF4/IxpgYfPwc'),
  vendor('Ory Kratos scrypt, whose ln is N (its tests)', 'test', '$scrypt$ln=16384,r=8,p=1$2npRo7P03Mt8keSoMbyD/tKFWyUzjiQf2svUaNDSrhA=$MiCzNcIplSMqSBrm4HckjYqYhaVPPjTARTzwB1cVNYE='),
  vendor('Ory Kratos Argon2id (its tests)', 'test', '$argon2id$v=19$m=32,t=2,p=4$cm94YnRVOW5jZzFzcVE4bQ$MNzk5BtR2vUhrp6qQEjRNw'),
  vendor('Ory Kratos bcrypt (its tests)', 'test', '$2a$12$o6hx.Wog/wvFSkT/Bp/6DOxCtLRTDj7lm9on9suF/WaCGNVHbkfL6'),
  vendor('Ory Kratos SHA-1 (its tests)', 'test', '$sha1$pf=Pz9zdGF0aWNQcmVmaXg/P3tTQUxUfXtQQVNTV09SRH0=$NW9wbWtnejAzcg==$SAAxMUn7jxckQXkBmsVF0nHwqso='),
  vendor('Ory Kratos SHA-256 (its tests)', 'test', '$sha256$pf=e1NBTFR9JCR7UEFTU1dPUkR9$NW9wbWtnejAzcg==$HokCOi9OtiZaZRvnkgemV3B4UUHpI7kA8zq/EZWH2NY='),
  vendor('Ory Kratos SHA-512 (its tests)', 'test', '$sha512$pf=e1NBTFR9e1BBU1NXT1JEfQ==$NW9wbWtnejAzcg==$6ctpVuApMNp0CgBXcdHw/GC562eFEFGr4gpgANX8ZYsX+j5B19IkdmOY2Fytsz3QUwSWdGcUjbqwgJGTH0UYvw=='),
  vendor('Ory Kratos MD5 (its tests)', 'test', '$md5$CY9rzUYh03PK3k6DJie09g=='),
  vendor('Ory Kratos MD5 with a salt (its tests)', 'ory', '$md5$pf=e1BBU1NXT1JEfXtTQUxUfSQ/$MTIzNDU2Nzg5$8PhwWanVRnpJAFK4NUjR0w=='),
  vendor('Ory Kratos HMAC with MD5 (its tests)', 'test', '$hmac-md5$ZmU4Njk3Zjc0MmQwODA0MDVkMTI3MGU2MTYzMzE2Zjk=$MTIzNDU='),
  vendor('Ory Kratos HMAC with SHA-224 (its tests)', 'test', '$hmac-sha224$YmUwYmYzM2EwNGRlNDE0YjQzNjBhNmIyOThmNmIyYzI4OWQyMzk3MDUwZDFjMzliYjVmMDMyOTQ=$MTIzNDU='),
  vendor('Ory Kratos HMAC with SHA-256 (its tests)', 'test', '$hmac-sha256$ZTAzMWJhMWMyOTM4YjFkMjgzZjkxOWExZGY5YWM2NmMxOTJhN2RkNzQ0MzJkNWZkNGFkYTI5OTk0MWJhMTA5Zg==$MTIzNDU='),
  vendor('Ory Kratos HMAC with SHA-512 (its tests)', 'test', '$hmac-sha512$OTFmODY0ZTI1NmU0ZjVhYjhiMDViZGFmNGVmNGZmMGVlNTY4ODYwNWJhYTk4MTk2OTgyMzc3NzI1YTc4MzcxMTMzNzZmY2YxYTk5MGMxM2RiZDk2MGFmMmQ1YzRmODdlMGMwYTNkYjcyNjY0NjM4NGE4YzQ2MjNhZDZkN2UxZTE=$MTIzNDU='),
  vendor('Ory Kratos md5-crypt (its tests)', 'test', '$md5-crypt$TVEiiKNb$SN6/pUaRQS/E8Jh46As2C/'),
  vendor('Ory Kratos sha256-crypt (its tests)', 'test', '$sha256-crypt$rounds=535000$05R.9KB6UC2kLI3w$Q/zslzx./JjkAVPTwp6th7nW5l7JU91Gte/UmIh.U78'),
  vendor('Ory Kratos sha512-crypt (its tests)', 'test', '$sha512-crypt$rounds=656000$3LVbIAVxR//cRajw$uuNasMW.RYxlGzIRFU1Was70BPSa933AjxhZIGJdJBOlqJAHlgqa0yuiuq5JHF/ryNGryJkj87G9i3G2HPSXg1'),
  vendor('crypt(3) with SHA-512 (openssl passwd)', 'violet tractor moon 88 '.repeat(5), '$6$short$FHZvJLzQTPATRN4atTE0flekOfgZCurc2tcAZuOPCl4jZvtejTu/H78CcfZ8TFz9kYye08qqO8kHIDa0A0JLQ/'),
  vendor('LDAP {CRYPT} with SHA-256 (openssl passwd)', 'Hello world!', '{CRYPT}$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'),
  vendor('LDAP {SSHA} (tests of Ory Kratos)', 'test123', '{SSHA}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a'),
  vendor('LDAP {SSHA} with a long salt (ssha 1.0.1)', PASSWORD, '{SSHA}lCmZrcfiZLdfTrpiHff3GG/yw2lp4zwxGnvnV+k06La3w2pp35nA75YQM/IuzI7/0uYZAg=='),
  vendor('LDAP {SSHA256} (tests of Ory Kratos)', 'test123', '{SSHA256}czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK'),
  vendor('LDAP {SSHA512} (tests of Ory Kratos)', 'test123', '{SSHA512}xPUl/px+1cG55rUH4rzcwxdOIPSB2TingLpiJJumN2xyDWN4Ix1WQG3ihnvHaWUE8MYNkvMi5rf0C9NYixHsE6Yh59M='),
  vendor('LDAP {SSHA} in LDIF (base64 of the vector of Ory Kratos)', 'test123', 'e1NTSEF9SkZaRnMwb0h6eGJNd2tTSm1ZVmVJOE1uVER5LzI3NmE='),
  vendor('LDAP {SHA} (hashlib)', PASSWORD, '{SHA}MZ1MS/MyEON1sGd6ND0J8a7PnoA='),
  vendor('WordPress 6.8 (a site)', 'admin', '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES'),
  vendor('WordPress 6.8, entered with spaces around it', '  violet tractor moon 88 ', '$wp$2y$04$dDPpLJSWYUwcpWvx.ow7du3Xnve44ZRC9zpswq0QViUzNVohjcOxO'),
  vendor('WordPress 6.8 with quotes, which its forms escape', 'it\'s a "violet" tractor', '$wp$2y$04$E12K/g2HX/dSExYDVuIw8.J.JoNLiQwUauWRf4ZZ/uvKbG1eacpg.'),
  vendor('WordPress before 6.8 (wordpress-hash-node 1.0.0)', PASSWORD, '$P$BaN1PlFaK.Z62v11rDx4odb3RGJInF/'),
  vendor('WordPress before 6.8 with quotes (wordpress-hash-node 1.0.0)', 'it\'s a "violet" tractor', '$P$BrcKJY7XQm4ohNpai13NVuWbtNm3041'),
  vendor('phpass (tests of passlib)', 'JohnRipper', '$H$712345678WhEyvy1YWzT4647jzeOmo0'),
  vendor('better-auth 1.7.25', PASSWORD, 'fb6edb0043661be8f565140617a3c8ab:8806ac5f4371c5cfb7877647dad75a5a7d38a3120282e44cf4522737fb58c8285da244808dfed88c2b8dd700c25aabc70bd1e7726deff317cc38d9447676da10'),
  vendor('bcrypt $2a$ (@node-rs/bcrypt 2.0.0)', PASSWORD, '$2a$04$sEejMQPhLMFk8sVTsoYdzOsH0X.JdBTQJl4AkH50qF2xitZ/3DECu'),
  vendor('bcrypt $2b$ (@node-rs/bcrypt 2.0.0)', PASSWORD, '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.'),
  vendor('bcrypt $2y$ (@node-rs/bcrypt 2.0.0)', PASSWORD, '$2y$04$N1vEMKAItSeAUSRCOitDJOtBDbG8d0Ll8ndB.9L7RIR8geRT9qeDW'),
  vendor('bcrypt of Unicode (@node-rs/bcrypt 2.0.0)', UNICODE, '$2b$04$ybLdlpjaj3Iu7S/Zchazh.rj7cObHT7liXvXyrqgLEazgbw01TykC'),
  vendor('bcrypt_peppered of Clerk (@node-rs/bcrypt 2.0.0)', PASSWORD, '$2b$04$OO7Y2rOTLtAIXfWW0b1tGORvxTVxbdoMCu9BDSwwADrgq5bcbIbhy$pepper of devise'),
  vendor('scrypt_werkzeug of Clerk (a database)', 'admin123', 'scrypt:32768:8:1$vulddniGkHbXzjNK$9edb123f3c3e320f59e05a02d627406e72b4a1f120a3e553a35507531969d6009d6a8ecf7fc73fa2260defba729b68e13ec8db7bce9f484bbca6489e23b57bc8'),
  vendor('PBKDF2 of Werkzeug (hashlib)', PASSWORD, 'pbkdf2:sha256:1000$seasalt$64cc9fd1383dbcee3dbb32a83e61b648ab7a11af3d05908dadcf9529f6ba0abe'),
  vendor('pbkdf2_sha1 of Clerk with a salt in hexadecimal (hashlib)', PASSWORD, 'pbkdf2_sha1$1000$a1b2c3d4$34e7bd7d3dbf336bf20f88e0d049c59f9de5baf191fcf96be1ce2bcccb88b5e8'),
  vendor('pbkdf2_sha1 of Clerk with a length (hashlib)', PASSWORD, 'pbkdf2_sha1$1000$a1b2c3d4$34e7bd7d3dbf336bf20f88e0d049c59f9de5baf191fcf96b$24'),
  vendor('pbkdf2_sha1 of Clerk with a salt of text (hashlib)', PASSWORD, 'pbkdf2_sha1$1000$seasalt$9ec956d2fe8c281d17db84707edd393d04c8d349989c2f147c69a71463ced51f'),
  vendor('pbkdf2_sha512 of Clerk (hashlib)', PASSWORD, 'pbkdf2_sha512$1000$seasalt$0e9206d5d4460a4cc4cbc30ee86590bcfd9f6ec83495ec33c62220108703fbf5c2674dac6400c591c95844d3e8127075027d960043df4492a82a402aecb5d55f'),
  vendor('pbkdf2_sha512_hex of Clerk (hashlib)', PASSWORD, 'pbkdf2_sha512_hex$1000$a1b2c3d4$139e2bdc049f02dda18c32e77c8912edbaa354019e78f6b50f0400fc491226a37312e250cc7406cd5fd22640c53676f3ef645dd7e71fbf90268e70dbce58e1c7'),
  vendor('sha512_symfony of Clerk (hashlib)', PASSWORD, 'sha512_symfony$5000$seasalt$hzA8m1NtDUfXAXWVBMojiT6x2P1+XYXFUQkXmNwiP+g2TPlS4eg7RzIFzAo+tNNCUoRqCWaX3ngzr9KMTBtM+g=='),
  vendor('hmac_sha256_utf16_b64 of Clerk with a key in base64 (hashlib)', PASSWORD, 'hmac_sha256_utf16_b64$+VbpC5Yh6utcFGH2tzbyIHlaKLJ0tFmLSMs4mCwO2so=$MDEyMzQ1Njc4OWFiY2RlZg=='),
  vendor('hmac_sha256_utf16_b64 of Clerk with a key of text (hashlib)', PASSWORD, 'hmac_sha256_utf16_b64$sZ+UVKyPIF8WAe0Nf73/koxeugd3bkJUjZZDqSMWIIQ=$key of text!'),
]; // prettier-ignore

/** Forms that others look like: their type has to be named. */
export const BY_TYPE: readonly VendorHash[] = [
  vendor('pbkdf2_sha256 of Django before 3.1 (djangohashers)', 'ExjGmyUT73bFoT', 'pbkdf2_sha256$24000$KQ8zeK6wKRuR$cmhbSt1XVKuO4FGd9+AX8qSBD4Z0395nZatXTJpEtTY=', { hash_type: 'pbkdf2_sha256_django' }),
  vendor('pbkdf2_sha256 of Clerk (hashlib)', PASSWORD, 'pbkdf2_sha256$1000$c2FsdCBvZiB0aGUgb2xkIHN5c3RlbQ==$6TPNuI+emYgqE8kZ5sdUTZVfEpykaNgyfryqM8Wqu8c=', { hash_type: 'pbkdf2_sha256' }),
  vendor('md5 of Django without a salt (its tests)', 'l\u00e8tmein', '88a434c88cca4e900f7874cd98123f43', { hash_type: 'md5' }),
  vendor('md5_salted of Clerk (hashlib)', PASSWORD, 'pepper42$03f4bd7fe298598a38a4d49a145600b2', { hash_type: 'md5_salted' }),
  vendor('md5_salted of Clerk with the salt after the password (hashlib)', PASSWORD, 'pepper42$8e0ca00cc4399f11ee77ad5303ca823f', { hash_type: 'md5_salted' }),
  vendor('sha256_salted of Clerk (hashlib)', PASSWORD, 'pepper42$ef3aba2b2c9f8bb0960957cc9a309be33f43f07dabee0142030b3fe29bee622d', { hash_type: 'sha256_salted' }),
  vendor('sha256 of Clerk (hashlib)', PASSWORD, '1cd0759acdb0b122d7f444591f2b42e0c0f0be1060f20635e202d7bf84ed36a9', { hash_type: 'sha256' }),
  vendor('scrypt of Stytch, whose salt is the text itself (example data of FusionAuth)', 'averylongandunguessablepasswordwithlotsofrandominfooofisjoafasnr;,n2', '8dg6AaIWPfcLTQU7lb4H-CI49dHeqaBXfFE1ogb2qRQ=', { hash_type: 'scrypt_stytch', salt: 'zKia-0BdIFKCzWbzXbj3qrhBnbiWNg==' }),
  vendor('scrypt of Stytch with its parameters (example data of FusionAuth)', 'averylongandunguessablepasswordwithlotsofrandominfooofisjoafasnr;,n1', 'uiOC_BwbKta9R9QL6Ss6KTDpCcULh9_zhObl5j4398M=', { hash_type: 'stytch', salt: 'BbV-sGQqUIX1NwE6uqtSITv4fa1iMw==', scrypt_config: { n_parameter: 32_768, r_parameter: 8, p_parameter: 1, key_length: 32 } }),
  vendor('ldap_ssha of Clerk (tests of Ory Kratos)', 'test123', '{SSHA}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a', { hash_type: 'ldap_ssha' }),
]; // prettier-ignore

/** bcrypt reads 72 bytes of a password (@node-rs/bcrypt 2.0.0). */
export const LONG_BCRYPT = '$2b$04$miiYHdLra/gwyk2m2s/sreG7AAjKYrfbn2g5yfDSxth1L/Gn7AYNe';
/** better-auth normalises a password before it hashes it (better-auth 1.7.25). */
export const NORMALISED_BETTER_AUTH =
  'f720952d6e8c4e0fa46b491b55495558:d2f0a38073b7f245bedea178c5884dafc51f2b6b9c398c39e2a8a35a71d0c684c843c895ad9a8c2375bfd77a68eb482f91b0495d222d7201de3c58df25548076';
