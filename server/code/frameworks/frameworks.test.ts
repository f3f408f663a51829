import { describe, expect, test } from 'vitest';
import { chooseFramework } from './choose';
import { listRequestedFrameworks } from './requested';
import { findFramework, frameworks } from './table';
import { frameworkLanguageOf, frameworksIn, usesFramework } from './used';
import { processorMsSince } from '../../../testing/processor-time';

const named =
  'Flask, FastAPI, Django, pytest, unittest, Express, Fastify, React, Vue, Next.js, NestJS, SvelteKit, Hono, Elysia, Prisma, Gin, Echo, Fiber, Actix, Rocket, Axum, Spring, Rails';

/** Framework, file, code that uses it. */
const uses: readonly (readonly [string, string, string])[] = [
  ['Flask', 'app.py', 'from flask import Flask\napp = Flask(__name__)'],
  ['Flask', 'app.py', 'import flask'],
  ['Flask', 'a/b.py', 'def make():\n    from flask_restful import Api'],
  ['FastAPI', 'main.py', 'from fastapi import FastAPI'],
  ['FastAPI', 'main.py', 'import fastapi\n'],
  ['Django', 'urls.py', 'from django.urls import path'],
  ['Django', 'api.py', 'from rest_framework import viewsets'],
  ['pytest', 'test_a.py', 'import pytest'],
  ['unittest', 'test_a.py', 'import unittest\nclass A(unittest.TestCase):\n    pass'],
  ['unittest', 'test_a.py', 'from unittest import TestCase, mock'],
  ['Express', 'server.js', "const express = require('express');"],
  ['Express', 'server.ts', 'import express, { type Request } from "express";'],
  ['Express', 'routes.ts', "import { Router } from 'express';"],
  ['Fastify', 'server.js', "import Fastify from 'fastify'"],
  ['Fastify', 'server.js', "const app = require('fastify')({ logger: true })"],
  ['React', 'App.jsx', "import React, { useState } from 'react';"],
  ['React', 'main.tsx', "import { createRoot } from 'react-dom/client'"],
  ['Vue', 'main.ts', "import { createApp } from 'vue'"],
  ['Next.js', 'app/page.tsx', "import Link from 'next/link';"],
  ['NestJS', 'src/main.ts', "import { NestFactory } from '@nestjs/core';"],
  ['SvelteKit', 'src/routes/+page.ts', "import { error } from '@sveltejs/kit';"],
  ['SvelteKit', 'src/a.ts', "import { goto } from '$app/navigation';"],
  ['Hono', 'src/index.ts', "import { Hono } from 'hono'"],
  ['Elysia', 'src/index.ts', "import { Elysia, t } from 'elysia'"],
  ['Prisma', 'db.ts', "import { PrismaClient } from '@prisma/client'"],
  ['Gin', 'main.go', 'import "github.com/gin-gonic/gin"'],
  ['Echo', 'main.go', 'import (\n\t"net/http"\n\t"github.com/labstack/echo/v4"\n)'],
  ['Fiber', 'main.go', 'import "github.com/gofiber/fiber/v2"'],
  ['Actix', 'src/main.rs', 'use actix_web::{web, App, HttpServer};'],
  ['Rocket', 'src/main.rs', '#[macro_use] extern crate rocket;'],
  ['Rocket', 'src/main.rs', 'use rocket::get;'],
  ['Axum', 'src/main.rs', 'use axum::{routing::get, Router};'],
  ['Spring', 'src/A.java', 'import org.springframework.boot.SpringApplication;'],
  ['Rails', 'app/controllers/a_controller.rb', 'class AController < ApplicationController\nend'],
  ['Rails', 'config/routes.rb', 'Rails.application.routes.draw do\nend'],
];

/** Code that only looks like a use of a framework. */
const unused: readonly (readonly [string, string])[] = [
  ['a.py', 'flask = 1\nprint("from flask import x")'],
  ['a.py', 'from flasky import a\nimport fastapix'],
  ['a.py', 'from unittest.mock import patch\nfrom unittest import mock'],
  ['a.ts', "import type { Request } from 'express';"],
  ['a.ts', "import { Request, Response, NextFunction } from 'express';"],
  ['a.ts', "import type { FC } from 'react';\nimport { x } from './react';"],
  ['a.ts', "import x from 'nextra';\nimport y from 'vuetify';"],
  ['a.go', 'import "fmt"\nvar gin = "gin"'],
  ['a.rs', 'let rocket = 1;'],
  ['a.java', 'import org.spring.Other;'],
  ['a.css', "import React from 'react'"],
];

describe('QEL-8 the table of frameworks', () => {
  test('QEL-8 holds the 23, each with what the rest needs', () => {
    expect(frameworks.map(({ name }) => name).sort()).toEqual(named.split(', ').sort());
    for (const { name, entry, imports, extensions } of frameworks) {
      expect(imports.length, name).toBeGreaterThan(0);
      expect(frameworkLanguageOf(entry), name).toBe(findFramework(name)?.language);
      expect(
        extensions.some((extension) => entry.endsWith(extension)),
        name,
      ).toBe(true);
    }
  });

  test('QEL-16 rivals are mutual, and no framework is its own rival', () => {
    for (const { name, rivals } of frameworks) {
      expect(rivals).not.toContain(name);
      for (const rival of rivals)
        expect(findFramework(rival)?.rivals, `${rival} and ${name}`).toContain(name);
    }
  });

  test.each([
    ['Flask', 'FastAPI', true],
    ['NestJS', 'Express', true],
    ['React', 'Vue', true],
    ['Next.js', 'React', false],
    ['Next.js', 'SvelteKit', true],
    ['pytest', 'unittest', true],
    ['Flask', 'pytest', false],
    ['React', 'Express', false],
    ['Prisma', 'Next.js', false],
    ['Gin', 'Echo', true],
    ['Actix', 'Axum', true],
    ['Rails', 'Spring', true],
  ])('QEL-16 %s excludes %s: %s', (name, other, excludes) => {
    expect(findFramework(name)?.rivals.includes(other)).toBe(excludes);
  });

  test('QEL-8 a name is found in any case, and a foreign one not', () => {
    expect(findFramework('next.JS')?.name).toBe('Next.js');
    expect(findFramework('constructor')).toBeNull();
  });
});

describe('QEL-16 frameworks in code', () => {
  test.each(uses)('QEL-16 %s in %s: %s', (name, path, code) => {
    expect(frameworksIn(code, frameworkLanguageOf(path)).map((each) => each.name)).toEqual([name]);
  });

  test.each(unused)('QEL-16 none in %s: %s', (path, code) => {
    expect(frameworksIn(code, frameworkLanguageOf(path))).toEqual([]);
  });

  test.each([
    ['React', 'src/Card.tsx', 'export const Card = () => <div/>;'],
    ['Vue', 'src/App.vue', '<template><p/></template>'],
    ['Next.js', 'app/about/page.tsx', 'export default function Page() { return <p/>; }'],
    [
      'Next.js',
      'src/app/layout.jsx',
      'export default function Layout({ children }) { return children; }',
    ],
    ['SvelteKit', 'src/routes/+page.svelte', '<h1>a</h1>'],
    ['pytest', 'test_a.py', 'def test_a():\n    assert True'],
    ['Prisma', 'prisma/schema.prisma', 'model A {}'],
    ['Rails', 'app/models/a.rb', 'class A\nend'],
  ])('QEL-18 %s is shown by %s without an import', (name, path, code) => {
    const framework = findFramework(name);
    expect(framework !== null && usesFramework(framework, path, code)).toBe(true);
    expect(frameworksIn(code, frameworkLanguageOf(path))).toEqual([]);
  });

  test('QEL-16 hostile code is scanned in linear time', () => {
    for (const piece of [
      'import ',
      'import {a',
      'from ',
      'export * ',
      '\n  ',
      'import type ',
      '"',
      '< ',
    ]) {
      const code = piece.repeat(200_000 / piece.length);
      const began = process.cpuUsage();
      for (const language of ['python', 'javascript', 'rust', 'ruby'] as const)
        frameworksIn(code, language);
      expect(processorMsSince(began), piece).toBeLessThan(6_000);
    }
  });
});

/** A request and the requested framework. */
const asked: readonly (readonly [string, string | null])[] = [
  ['Create an Express API', 'Express'],
  ['build an express server with two routes', 'Express'],
  ['Use express in Node to write the service', 'Express'],
  ['Express the duration in hours and write a script for it', null],
  ['Write a regular expression module', null],
  ['Write a script to express distances in km in JavaScript', null],
  ['Build a page for Express delivery orders', null],
  ['Write a component in React', 'React'],
  ['create a react component', 'React'],
  ['Build a React to-do list', 'React'],
  ['Write a JavaScript file that makes the lamp react to clicks', null],
  ['React to button presses with a JS script', null],
  ['Create an echo server in Go', null],
  ['Create an Echo server in Go', 'Echo'],
  ['write a go service with echo', 'Echo'],
  ['Create a shell script that will echo the input', null],
  ['Write a rocket launch countdown component', null],
  ['Create a Rocket class with fuel', null],
  ['Build a web service in Rust with rocket', 'Rocket'],
  ['Create a Rocket API', 'Rocket'],
  ['Create a spring animation component', null],
  ['Create a Spring Boot service', 'Spring'],
  ['Build an api in java using spring', 'Spring'],
  ['Create a page for the Spring sale', null],
  ['Build a Fiber app', 'Fiber'],
  ['Create a page about fiber optic cables', null],
  ['Write a Gin router', 'Gin'],
  ['Create a migration that adds a GIN index', null],
  ['Write a function that scores gin rummy', null],
  ['Create a flask app', 'Flask'],
  ['Build a rails app', 'Rails'],
  ['Create a class for guard rails along the road', null],
  ['Créer un composant pour la vue de détail', null],
  ['Écris un composant Vue', 'Vue'],
  ['Create a Node.js script. Next, add a test', null],
  ['Create a NextJS page', 'Next.js'],
  ['Build it with Nest.js', 'NestJS'],
  ['Create a svelte kit app', 'SvelteKit'],
  ['Create a Flask API, not FastAPI', 'Flask'],
  ['Create a FastAPI service that replaces our Flask app', 'FastAPI'],
  ['Create a server without Express', null],
  ['Use Fastify instead of Express', 'Fastify'],
  ['Create an Express-like router', null],
  ['Create a React frontend with an Express backend', 'React'],
  ['Create a Flask service and a FastAPI service', null],
  ['Write pytest tests for a Flask API', 'Flask'],
  ['Write unittest tests', 'unittest'],
  ['Write unit tests', null],
  ['Build a Next.js app with Prisma', 'Next.js'],
  ['Create a Ruby on Rails app', 'Rails'],
];

describe('QEL-9 frameworks in requests', () => {
  test.each(asked)('QEL-9 %s: %s', (request, name) => {
    expect(chooseFramework(request)?.framework.name ?? null).toBe(name);
  });

  test('QEL-8 every name and alias is found as the framework that it names', () => {
    for (const { name, aliases } of frameworks) {
      for (const spelling of [name, ...aliases]) {
        expect(
          listRequestedFrameworks(`Build it with ${spelling}, please`).map(
            ({ framework }) => framework.name,
          ),
          spelling,
        ).toEqual([name]);
      }
    }
  });
});
