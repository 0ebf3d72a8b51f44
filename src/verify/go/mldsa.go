package main

import (
	"bytes"
	"crypto/sha3"
	"math/big"
	"math/bits"
)

// ML-DSA-44 (FIPS 204), verification with an empty context.
const (
	q      = 8380417
	gamma1 = 1 << 17
	gamma2 = 95232
	tau    = 39
	beta   = 78
	omega  = 80
)

type poly [256]int64

var zetas = func() (found [256]int64) {
	root, prime := big.NewInt(1753), big.NewInt(q)
	for i := range found {
		power := big.NewInt(int64(bits.Reverse8(uint8(i))))
		found[i] = new(big.Int).Exp(root, power, prime).Int64()
	}
	return
}()

func ntt(w poly) poly {
	m := 0
	for length := 128; length > 0; length /= 2 {
		for start := 0; start < 256; start += 2 * length {
			m++
			for j := start; j < start+length; j++ {
				t := zetas[m] * w[j+length] % q
				w[j], w[j+length] = (w[j]+t)%q, (w[j]-t)%q
			}
		}
	}
	return w
}

func inverseNtt(w poly) poly {
	m := 256
	for length := 1; length < 256; length *= 2 {
		for start := 0; start < 256; start += 2 * length {
			m--
			for j := start; j < start+length; j++ {
				t, u := w[j], w[j+length]
				w[j], w[j+length] = (t+u)%q, (u-t)%q*zetas[m]%q
			}
		}
	}
	for i := range w {
		w[i] = (w[i]*8347681%q + q) % q
	}
	return w
}

func unpack(data []byte, width int) (w poly) {
	for i := range w {
		for bit := range width {
			at := i*width + bit
			w[i] |= int64(data[at/8]>>(at%8)&1) << bit
		}
	}
	return
}

func shake256(size int, parts ...[]byte) []byte {
	return sha3.SumSHAKE256(bytes.Join(parts, nil), size)
}

func uniform(seed []byte) (w poly) {
	data, at := sha3.SumSHAKE128(seed, 1680), 0
	for i := 0; at < 256; i += 3 {
		if c := int64(data[i]) | int64(data[i+1])<<8 | int64(data[i+2]&127)<<16; c < q {
			w[at] = c
			at++
		}
	}
	return
}

func challenge(seed []byte) (w poly) {
	stream := shake256(2048, seed)
	at := 8
	for i := 256 - tau; i < 256; i++ {
		for int(stream[at]) > i {
			at++
		}
		sign := i - (256 - tau)
		j := stream[at]
		w[i] = w[j]
		w[j] = 1 - 2*int64(stream[sign/8]>>(sign%8)&1)
		at++
	}
	return
}

// hints are those of each polynomial; false for what is not canonical.
func hints(data []byte) (found [4][256]bool, isRight bool) {
	at := 0
	for i := range found {
		end := int(data[omega+i])
		if end < at || end > omega {
			return found, false
		}
		for first := at; at < end; at++ {
			if at > first && data[at] <= data[at-1] {
				return found, false
			}
			found[i][data[at]] = true
		}
	}
	return found, !bytes.ContainsFunc(data[at:omega], func(r rune) bool { return r != 0 })
}

func highBits(c int64, isHinted bool) int64 {
	low := c % (2 * gamma2)
	if low > gamma2 {
		low -= 2 * gamma2
	}
	high := (c - low) / (2 * gamma2)
	if c-low == q-1 {
		high, low = 0, low-1
	}
	switch {
	case isHinted && low > 0:
		return (high + 1) % 44
	case isHinted:
		return (high + 43) % 44
	}
	return high
}

func verifyMldsa(message, signature, key []byte) bool {
	if len(signature) != 2420 || len(key) != 1312 {
		return false
	}
	hint, isRight := hints(signature[2336:])
	var z [4]poly
	for i := range z {
		z[i] = unpack(signature[32+576*i:], 18)
		for j, c := range z[i] {
			z[i][j] = gamma1 - c
			isRight = isRight && max(c-gamma1, gamma1-c) < gamma1-beta
		}
		z[i] = ntt(z[i])
	}
	mu := shake256(64, shake256(64, key), []byte{0, 0}, message)
	c, spelled := ntt(challenge(signature[:32])), make([]byte, 768)
	for row := range 4 {
		t1 := unpack(key[32+320*row:], 10)
		for i := range t1 {
			t1[i] <<= 13
		}
		t1 = ntt(t1)
		var total poly
		for i := range total {
			total[i] = -c[i] * t1[i] % q
		}
		for column := range 4 {
			a := uniform(append(bytes.Clone(key[:32]), byte(column), byte(row)))
			for i := range total {
				total[i] = (total[i] + a[i]*z[column][i]) % q
			}
		}
		for i, v := range inverseNtt(total) {
			high := highBits(v, hint[row][i])
			for bit := range 6 {
				at := 1536*row + 6*i + bit
				spelled[at/8] |= byte(high>>bit&1) << (at % 8)
			}
		}
	}
	return isRight && bytes.Equal(shake256(32, mu, spelled), signature[:32])
}
