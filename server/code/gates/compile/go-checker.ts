// Type-checks Go code without the modules that a sandbox cannot fetch: `go build` stops at the
// first of them and would hide faults of the code. The checker starts with `go run` inside the
// sandbox, after a failed build.
export const goCheckerPath = '/opt/assay/check/main.go';

export const goChecker = String.raw`package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var files = token.NewFileSet()
var standard = importer.Default()
var known = map[string]*types.Package{}
var module = ""

type finder struct{}

func (finder) Import(path string) (*types.Package, error) {
	if path == module || strings.HasPrefix(path, module+"/") {
		return check(filepath.Join("/box", strings.TrimPrefix(path, module)), path)
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return nil, errors.New("elsewhere")
	}
	return standard.Import(path)
}

func say(err error) {
	if !strings.HasSuffix(err.Error(), "(elsewhere)") {
		fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

func check(folder string, path string) (*types.Package, error) {
	if done, ok := known[path]; ok {
		if done == nil {
			return nil, errors.New("import cycle")
		}
		return done, nil
	}
	known[path] = nil
	context := build.Default
	context.CgoEnabled = false
	found, err := context.ImportDir(folder, 0)
	if err != nil {
		if _, isEmpty := err.(*build.NoGoError); !isEmpty {
			say(err)
		}
		return nil, err
	}
	var syntax []*ast.File
	for _, name := range found.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(folder, name), nil, parser.AllErrors)
		if err != nil {
			say(err)
		}
		if file != nil {
			syntax = append(syntax, file)
		}
	}
	config := types.Config{Importer: finder{}, Error: say}
	result, _ := config.Check(path, files, syntax, nil)
	known[path] = result
	return result, nil
}

func main() {
	text, _ := os.ReadFile("/box/go.mod")
	for _, line := range strings.Split(string(text), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
			module = strings.Trim(words[1], "\"")
		}
	}
	filepath.WalkDir("/box", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			check(path, strings.TrimSuffix(module+"/"+strings.TrimPrefix(strings.TrimPrefix(path, "/box"), "/"), "/"))
		}
		return nil
	})
	fmt.Println("checked")
}
`;
