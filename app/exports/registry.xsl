<?xml version="1.0" encoding="UTF-8"?>
<!-- Shows a registry in IANA's XML as a plain page. -->
<xsl:stylesheet version="1.0"
    xmlns="http://www.w3.org/1999/xhtml"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:r="http://www.iana.org/assignments"
    exclude-result-prefixes="r">

  <xsl:output method="html" encoding="UTF-8" indent="yes"/>

  <xsl:template match="/r:registry">
    <html lang="en">
      <head><title><xsl:value-of select="r:title"/></title></head>
      <body>
        <h1><xsl:value-of select="r:title"/></h1>
        <p>Last updated <xsl:value-of select="r:updated"/></p>
        <xsl:for-each select="r:note"><p><xsl:apply-templates/></p></xsl:for-each>
        <xsl:apply-templates select="r:registry"/>
        <xsl:apply-templates select="r:people[r:person]"/>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="r:registry/r:registry">
    <h2 id="{@id}"><xsl:value-of select="r:title"/></h2>
    <p>Registration procedure: <xsl:apply-templates select="r:registration_rule"/></p>
    <p>Experts: <xsl:value-of select="r:expert"/></p>
    <p>Reference: <xsl:apply-templates select="r:xref"/></p>
    <table>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Template</th>
        <th scope="col">Reference</th>
        <th scope="col">Registered</th>
      </tr>
      <xsl:apply-templates select="r:record"/>
    </table>
  </xsl:template>

  <xsl:template match="r:record">
    <tr>
      <td><xsl:value-of select="r:name"/></td>
      <xsl:choose>
        <xsl:when test="r:contact">
          <td><xsl:apply-templates select="r:template | r:xref"/></td>
          <td><xsl:apply-templates select="r:contact"/></td>
        </xsl:when>
        <xsl:otherwise>
          <td><xsl:apply-templates select="r:template"/></td>
          <td><xsl:apply-templates select="r:xref"/></td>
        </xsl:otherwise>
      </xsl:choose>
      <td><xsl:value-of select="@date"/></td>
    </tr>
  </xsl:template>

  <xsl:template match="r:people">
    <h2>Contact Information</h2>
    <table>
      <tr><th scope="col">ID</th><th scope="col">Name</th><th scope="col">Contact URI</th></tr>
      <xsl:for-each select="r:person">
        <tr id="{@id}">
          <td><xsl:value-of select="@id"/></td>
          <td><xsl:value-of select="r:name"/></td>
          <td><xsl:value-of select="r:uri"/></td>
        </tr>
      </xsl:for-each>
    </table>
  </xsl:template>

  <xsl:template match="r:xref[@type='text']"><xsl:value-of select="."/></xsl:template>

  <xsl:template match="r:xref">
    <xsl:text>[</xsl:text>
    <xsl:choose>
      <xsl:when test="@type='rfc'">
        <a href="https://www.rfc-editor.org/info/{@data}">
          <xsl:value-of select="translate(@data, 'bcdfprst', 'BCDFPRST')"/>
        </a>
      </xsl:when>
      <xsl:when test="@type='rfc-errata'">
        <a href="https://www.rfc-editor.org/errata/eid{@data}">
          <xsl:value-of select="concat('RFC Errata ', @data)"/>
        </a>
      </xsl:when>
      <xsl:when test="@type='person'">
        <a href="#{@data}"><xsl:call-template name="shown"/></a>
      </xsl:when>
      <xsl:when test="starts-with(@data, 'https://') or starts-with(@data, 'http://')">
        <a href="{@data}"><xsl:call-template name="shown"/></a>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="shown"/></xsl:otherwise>
    </xsl:choose>
    <xsl:text>]</xsl:text>
  </xsl:template>

  <xsl:template name="shown">
    <xsl:choose>
      <xsl:when test="string(.)"><xsl:value-of select="."/></xsl:when>
      <xsl:otherwise><xsl:value-of select="@data"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
